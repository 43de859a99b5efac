// `mmt explain`: reports of the hardened heap with functions and lines, as text, JSON or SARIF.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command_line/verb.h"
#include "cli/explain/input_lines.h"
#include "cli/explain/passed_on.h"
#include "cli/explain/place_names.h"
#include "cli/explain/report_json.h"
#include "cli/explain/report_reader.h"
#include "cli/explain/sarif.h"
#include "command/distinct_files.h"
#include "command/failure.h"
#include "command/free_memory.h"
#include "command/json_text.h"
#include "command/message.h"
#include "report/output_file.h"
#include "report/units.h"
#include "tracefile/memory_bound.h"

namespace mmt::cli {

using command::bound_memory;
using command::check_distinct;
using command::Failure;
using command::json_text;
using command::kFailed;
using command::kMemoryHelp;
using command::kUsage;
using command::show;
using command::tell;
using programs::Command;

namespace {

struct ExplainFlags {
  std::vector<std::string> files;
  bool json = false;
  std::string sarif;
  std::string memory;

  bool has_sarif_on_stdout() const { return sarif == "-"; }
  bool has_text() const { return !json && !has_sarif_on_stdout(); }
  bool keeps_reports() const { return json || !sarif.empty(); }
};

class Explained : public ReportSink {
 public:
  explicit Explained(const ExplainFlags& flags) : flags_(flags) {}

  void begins(const HeapReport& report) override {
    ++count_;
    if (flags_.has_text())
      show(fmt::format("mmt: {}: {}\n", report.kind_name(), message_of(report)));
  }
  void has(HeapReport& report, Role role, std::size_t frame) override {
    constexpr std::size_t kWidth = 14;
    if (frame < report.stack(role).size())
      names_.find(report.stack(role)[frame], report.is_call(role, frame));
    if (flags_.has_text())
      show(fmt::format("  {}\n", frame == 0 ? line_of(report, role, kWidth)
                                            : outer_line_of(report, role, frame, kWidth)));
  }
  void has_times(const HeapReport& report) override {
    if (flags_.has_text()) show(fmt::format("  {}\n", times_of(report)));
  }
  void ends(HeapReport report) override {
    if (flags_.keeps_reports()) reports_.push_back(std::move(report));
  }
  void other(std::string_view bytes) override {
    if (flags_.has_text()) pass_on(bytes);
  }
  void wrong(const std::string& what) override {
    ++wrong_;
    if (wrong_ <= kMostTold) tell(what);
  }

  PlaceNames& names() { return names_; }
  const std::vector<HeapReport>& reports() const { return reports_; }
  bool is_all_right() const { return wrong_ == 0; }

  void tell_at_end() const {
    if (wrong_ > kMostTold)
      tell(report::counted(wrong_ - kMostTold, "more line is wrong", "more lines are wrong"));
    if (count_ == 0 && wrong_ == 0) tell("no reports");
    const std::string why = names_.why_none();
    if (!why.empty()) tell("not all functions and lines are known: " + why);
  }

 private:
  static constexpr std::uint64_t kMostTold = 16;

  const ExplainFlags& flags_;
  PlaceNames names_;
  std::vector<HeapReport> reports_;
  std::uint64_t count_ = 0;
  std::uint64_t wrong_ = 0;
};

// When a file was written to; nullopt: it is none, such as a pipe from a program that runs.
std::optional<time_t> time_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return status.st_mtim.tv_sec;
}

void explain_one(int descriptor, const std::string& name, Explained& explained) {
  tracefile::NowReading::at(name);
  explained.names().set_written(time_of(descriptor));
  ReportReader reader(name, explained);
  std::string fault;
  try {
    for_each_line(
        descriptor, name, [&reader](const InputLine& line) { reader.take(line); }, flush_output);
  } catch (const Failure& failure) {
    fault = failure.what();
  }
  reader.end();
  if (!fault.empty()) explained.wrong(fault);
}

void explain_file(const std::string& path, Explained& explained) {
  if (path == "-") return explain_one(STDIN_FILENO, "standard input", explained);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return explained.wrong(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  explain_one(descriptor, path, explained);
  ::close(descriptor);
}

// The file is opened first: a name that is wrong is to be told before a program has run.
class SarifFile {
 public:
  explicit SarifFile(const ExplainFlags& flags) {
    if (flags.sarif.empty() || flags.has_sarif_on_stdout()) return;
    for (const std::string& one : flags.files) {
      if (one != "-") check_distinct(flags.sarif, one);
    }
    is_open_ = true;
    check(file_.open(flags.sarif));
  }
  void write(const std::vector<HeapReport>& reports) {
    if (is_open_) check(file_.write(json_text(sarif_of(reports), 2)));
  }

 private:
  static void check(const std::optional<std::string>& fault) {
    if (fault) throw Failure(kFailed, *fault);
  }

  report::OutputFile file_;
  bool is_open_ = false;
};

void print(const ExplainFlags& flags, const std::vector<HeapReport>& reports) {
  if (flags.has_sarif_on_stdout()) return show(json_text(sarif_of(reports), 2));
  if (!flags.json) return;
  nlohmann::ordered_json json{{"schema", 1}, {"reports", nlohmann::ordered_json::array()}};
  for (const HeapReport& one : reports) json["reports"].push_back(json_of(one));
  show(json_text(json, 2));
}

int explain(const ExplainFlags& flags, const Command& command) {
  if (!command.empty())
    throw Failure(kUsage,
                  "mmt explain takes no command: mmt run --harden -- program 2>&1 | mmt explain");
  if (flags.json && flags.has_sarif_on_stdout())
    throw Failure(kUsage, "give --json or --sarif: one of them goes to standard output");
  bound_memory(flags.memory);
  SarifFile sarif(flags);
  Explained explained(flags);
  for (const std::string& one : flags.files) explain_file(one, explained);
  if (flags.files.empty()) explain_file("-", explained);
  print(flags, explained.reports());
  sarif.write(explained.reports());
  flush_output();
  explained.tell_at_end();
  return explained.is_all_right() ? 0 : kFailed;
}

}  // namespace

Verb add_explain(CLI::App& root) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* app = root.add_subcommand(
      "explain", "Show functions and lines in what 'mmt run --harden' has reported");
  app->add_option("file", flags->files,
                  "What the program wrote to stderr, or a file of option harden_report; without, "
                  "or '-', standard input")
      ->type_name("FILE");
  app->add_flag("--json", flags->json, "The reports as JSON, schema 1");
  app->add_flag("--sarif{-}", flags->sarif,
                "The reports as SARIF 2.1.0, for code hosts and editors; with FILE they go there, "
                "beside the text")
      ->type_name("[=FILE]");
  app->add_option("--memory", flags->memory, kMemoryHelp)->type_name("SIZE");
  return {
      app,
      [flags](const Command& command) { return explain(*flags, command); },
      "mmt explain [options] [FILE...]",
      {{"mmt run --harden -- ./server 2>&1 | mmt explain",
        "all that the server writes, its reports explained"},
       {"mmt explain --sarif=heap.sarif reports.jsonl", "for an editor, of a file of reports"}}};
}

}  // namespace mmt::cli
