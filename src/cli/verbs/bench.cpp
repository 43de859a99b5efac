// `mmt bench`: programs x allocators on this machine, as tables, JSON and CSV.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/checks.h"
#include "cli/failure.h"
#include "cli/installation.h"
#include "cli/machine/cpu_list.h"
#include "cli/measure/bench_session.h"
#include "cli/measure/bench_suite.h"
#include "cli/message.h"
#include "cli/registry/settings.h"
#include "cli/verbs.h"
#include "report/bench_reporters.h"
#include "report/output_file.h"

namespace mmt::cli {
namespace {

// A demonstration fits into a coffee break.
constexpr double kDemoBudget = 150;
constexpr double kTimeLimit = 600;

struct BenchFlags {
  std::vector<std::string> suites;
  std::vector<std::string> suite_files;
  std::vector<std::string> only;
  std::vector<std::string> allocators;
  int runs = 0;
  double budget = 0;
  double time_limit = kTimeLimit;
  std::uint64_t seed = 1;
  std::string pin;
  std::string json;
  std::string csv;
  bool demo = false;
  bool list = false;
  bool latency = false;
  bool quiet = false;
};

std::vector<SuiteProgram> chosen_programs(const BenchFlags& flags, const Command& command) {
  std::vector<std::string> files = flags.suite_files;
  for (const std::string& name : flags.suites) files.push_back(find_suite(name));
  if (flags.demo) files.push_back(find_suite("demo"));
  std::vector<SuiteProgram> programs;
  for (const std::string& file : files) {
    for (SuiteProgram& one : load_suite(file)) programs.push_back(std::move(one));
  }
  if (!command.empty()) {
    SuiteProgram own;
    own.name = std::filesystem::path(command.front()).filename().string();
    own.command = command;
    own.pin = flags.pin;
    programs.push_back(std::move(own));
  }
  for (const std::string& name : flags.only) {
    const bool known = std::any_of(programs.begin(), programs.end(),
                                   [&](const SuiteProgram& one) { return one.name == name; });
    if (!known) throw Failure(kUsage, fmt::format("--only: the suites have no program '{}'", name));
  }
  if (!flags.only.empty()) {
    std::erase_if(programs, [&](const SuiteProgram& program) {
      return std::find(flags.only.begin(), flags.only.end(), program.name) == flags.only.end();
    });
  }
  if (programs.empty()) {
    throw Failure(kUsage,
                  "nothing to run: name a suite ('mmt bench --list'), or give a program behind --");
  }
  if (!flags.pin.empty() && command.empty()) {
    throw Failure(kUsage, "--pin is for a program behind --; a suite says itself what is bound");
  }
  if (flags.runs > 0) {
    for (SuiteProgram& program : programs) program.runs = flags.runs;
  }
  return programs;
}

int list_suites() {
  for (const std::string& name : suite_names()) {
    for (const SuiteProgram& program : load_suite(find_suite(name))) {
      fmt::print("{}/{}:", program.suite, program.name);
      for (const std::string& word : program.command) fmt::print(" {}", word);
      fmt::print("\n");
    }
  }
  return 0;
}

// The command line to repeat the run with.
std::vector<std::string> command_line(const BenchFlags& flags, const Command& command) {
  std::vector<std::string> words{"mmt", "bench"};
  const auto add = [&](const char* flag, const std::string& value) {
    words.emplace_back(flag);
    words.push_back(value);
  };
  words.insert(words.end(), flags.suites.begin(), flags.suites.end());
  for (const std::string& one : flags.suite_files) add("--suite", one);
  for (const std::string& one : flags.only) add("--only", one);
  if (!flags.allocators.empty()) {
    add("--allocators", fmt::format("{}", fmt::join(flags.allocators, ",")));
  }
  if (flags.runs > 0) add("--runs", fmt::format("{}", flags.runs));
  if (flags.budget > 0) add("--budget", fmt::format("{}", flags.budget));
  if (!flags.pin.empty()) add("--pin", flags.pin);
  if (flags.time_limit != kTimeLimit) add("--timeout", fmt::format("{}", flags.time_limit));
  add("--seed", fmt::format("{}", flags.seed));
  if (flags.latency) words.emplace_back("--latency");
  if (flags.demo) words.emplace_back("--demo");
  if (!command.empty()) {
    words.emplace_back("--");
    words.insert(words.end(), command.begin(), command.end());
  }
  return words;
}

void must(const std::optional<std::string>& problem) {
  if (problem) throw Failure(kFailed, *problem);
}

// Prints first: whatever becomes of the files, the results are not lost.
int publish(const report::BenchResult& result, const BenchFlags& flags, report::OutputFile& json,
            report::OutputFile& csv) {
  fmt::print("{}", report::bench_console(result));
  std::fflush(stdout);
  int status = result.has_problem() ? kFailed : 0;
  if (result.interruption.status != 0) {
    tell(fmt::format("{} after {} rounds; this is what they showed", result.interruption.reason,
                     result.rounds_done));
    status = result.interruption.status;
  }
  const auto check = [&](const std::optional<std::string>& problem) {
    if (!problem) return;
    tell(*problem);
    status = kFailed;
  };
  if (!flags.json.empty()) check(json.write(report::bench_json(result)));
  if (!flags.csv.empty()) check(csv.write(report::bench_csv(result)));
  return status;
}

int bench(BenchFlags flags, const Command& command) {
  if (flags.list) return list_suites();
  if (flags.demo && flags.budget == 0) flags.budget = kDemoBudget;
  check_environment(kUsage);
  SessionPlan plan;
  plan.command_line = command_line(flags, command);
  plan.programs = chosen_programs(flags, command);
  plan.contenders = choose_contenders(flags.allocators);
  plan.budget = flags.budget;
  plan.time_limit = flags.time_limit;
  plan.seed = flags.seed;
  plan.show_progress = !flags.quiet;
  plan.time_calls = flags.latency;
  if (flags.latency) library_beside("libmmt-latency.so", kFailed);  // fails now, not in the middle
  // Opened now: a report that cannot be written is better known before the measurement.
  report::OutputFile json;
  report::OutputFile csv;
  if (!flags.json.empty()) must(json.open(flags.json));
  if (!flags.csv.empty()) must(csv.open(flags.csv));
  return publish(run_session(plan), flags, json, csv);
}

}  // namespace

Verb add_bench(CLI::App& root) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App* app = root.add_subcommand("bench", "Compare allocators on programs");
  app->footer("mmt bench [options] SUITE...\nmmt bench [options] -- program [arguments]");
  app->add_option("suites", flags->suites, "Suites by name, see --list");
  app->add_option("--suite", flags->suite_files, "Suites by file")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app->add_option("--only", flags->only, "Only these programs of the suites")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->allow_extra_args(false);
  app->add_option("--allocators", flags->allocators,
                  "Names of 'mmt list allocators', mmt:OPTION=VALUE, NAME=/path/lib.so "
                  "[mmt, glibc and the installed peers]")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->allow_extra_args(false);
  app->add_option("--runs", flags->runs, "Counted runs of each pair [the suite's, else 7]")
      ->check(number_between(1, 1000))
      ->type_name("N");
  app->add_option("--budget", flags->budget, "Start no round that would end later than this")
      ->check(number_between(1.0, 1e6))
      ->type_name("SECONDS");
  app->add_option("--timeout", flags->time_limit, "Longest time of one run [600]")
      ->check(number_between(0.01, 1e6))
      ->type_name("SECONDS");
  app->add_option("--seed", flags->seed, "Seed of the order of runs [1]")
      ->check(number_between<std::uint64_t>(0, UINT64_MAX))
      ->type_name("N");
  app->add_option("--pin", flags->pin, "Bind the program behind -- to these CPUs")
      ->check([](const std::string& text) {
        return parse_cpu_list(text) ? std::string() : "'" + text + "' is no list of CPUs";
      })
      ->type_name("CPUS");
  app->add_option("--json", flags->json, "Write a report, schema 1")->type_name("FILE");
  app->add_option("--csv", flags->csv, "Write every sample")->type_name("FILE");
  app->add_flag("--latency", flags->latency,
                "Time every call of malloc and free, in one more run of each pair and round");
  app->add_flag("--demo", flags->demo, "A short selection of real programs");
  app->add_flag("--list", flags->list, "List suites and their programs");
  app->add_flag("--quiet,-q", flags->quiet, "No progress bar");
  return {app, [flags](const Command& command) { return bench(*flags, command); }};
}

}  // namespace mmt::cli
