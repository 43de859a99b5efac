// `mmt stats PID`: the heap of a running program, once or repeatedly, as text or JSON.
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/checks.h"
#include "cli/failure.h"
#include "cli/stats/stats_reader.h"
#include "cli/verbs.h"
#include "observe/stats_page.h"
#include "report/text_table.h"
#include "report/units.h"

namespace mmt::cli {
namespace {

using Values = std::vector<std::uint64_t>;

struct StatsFlags {
  int process = 0;
  bool json = false;
  double watch = 0;
};

// How long ago the figures were collected, by the clock that both processes share.
double age_seconds(const Values& values) {
  const auto at = static_cast<std::size_t>(observe::Stat::kCollectedNs);
  if (at >= values.size()) return 0;
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const double age = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
                     1e-9 * static_cast<double>(values[at]);
  return age > 0 ? age : 0;
}

void print_text(const StatsReader& reader, const Values& values, const Values& before,
                double seconds) {
  fmt::print("process {} ({}), {}, figures {} old\n", reader.process(), reader.program(),
             reader.library(), report::format_value(age_seconds(values), "s"));
  report::TextTable table({{"statistic", report::Align::kLeft},
                           {"value"},
                           {"per second"},
                           {"what it is", report::Align::kLeft}});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const observe::StatField& field = observe::kStatFields[i];
    std::string rate;
    if (!before.empty() && std::string_view(field.unit) != "flag" && values[i] != before[i]) {
      const double change = static_cast<double>(values[i]) - static_cast<double>(before[i]);
      rate = report::format_value(change / seconds, field.unit);
    }
    table.add_row({field.name, report::format_value(static_cast<double>(values[i]), field.unit),
                   rate, field.help});
  }
  fmt::print("{}", table.render());
}

// One object a line when watched, so that a reader can take them one by one.
void print_json(const StatsReader& reader, const Values& values, bool watched) {
  nlohmann::ordered_json json{{"schema", 1},
                              {"pid", reader.process()},
                              {"program", reader.program()},
                              {"library", reader.library()},
                              {"age", age_seconds(values)}};
  auto& stats = json["stats"] = nlohmann::ordered_json::object();
  auto& units = json["units"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    stats[observe::kStatFields[i].name] = values[i];
    units[observe::kStatFields[i].name] = observe::kStatFields[i].unit;
  }
  using Handler = nlohmann::ordered_json::error_handler_t;
  fmt::print("{}\n", json.dump(watched ? -1 : 2, ' ', false, Handler::replace));
}

int show(const StatsFlags& flags, const Command& command) {
  if (!command.empty()) throw Failure(kUsage, "mmt stats takes a process id, no command");
  StatsReader reader(flags.process);
  Values before;
  auto last = std::chrono::steady_clock::now();
  const bool screen = !flags.json && ::isatty(STDOUT_FILENO) == 1;
  while (true) {
    const Values values = reader.read();
    const auto now = std::chrono::steady_clock::now();
    if (values.empty()) {
      if (before.empty())
        throw Failure(kFailed, fmt::format("process {} has ended", flags.process));
      return 0;
    }
    if (flags.json) {
      print_json(reader, values, flags.watch > 0);
    } else {
      if (screen && flags.watch > 0) fmt::print("\033[H\033[2J");
      print_text(reader, values, before, std::chrono::duration<double>(now - last).count());
    }
    if (std::fflush(stdout) != 0) return kFailed;
    if (flags.watch <= 0) return 0;
    if (!screen && !flags.json) fmt::print("\n");
    before = values;
    last = now;
    std::this_thread::sleep_for(std::chrono::duration<double>(flags.watch));
  }
}

}  // namespace

Verb add_stats(CLI::App& root) {
  auto flags = std::make_shared<StatsFlags>();
  CLI::App* app = root.add_subcommand("stats", "Show the heap of a running program");
  app->add_option("pid", flags->process, "Process that runs under MMT")
      ->required()
      ->check(number_between(1, 1 << 30))
      ->type_name("PID");
  app->add_flag("--json", flags->json, "As JSON, schema 1; with --watch one object a line");
  app->add_option("--watch", flags->watch, "Again every so many seconds, until the program ends")
      ->check(number_between(0.01, 86400.0))
      ->type_name("SECONDS");
  return {app, [flags](const Command& command) { return show(*flags, command); }};
}

}  // namespace mmt::cli
