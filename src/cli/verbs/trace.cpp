// `mmt trace` records what a program asks of its allocator. It also brings traces of other tools
// into this form and out of it, and tells what is in one.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line/checks.h"
#include "cli/command_line/program_command.h"
#include "cli/command_line/verb.h"
#include "cli/laboratory/laboratory.h"
#include "cli/registry/allocator_spec.h"
#include "command/distinct_files.h"
#include "command/failure.h"
#include "command/free_memory.h"
#include "command/message.h"
#include "report/units.h"
#include "tracefile/import/import.h"
#include "tracing/export.h"
#include "tracing/java/record_java.h"
#include "tracing/record_program.h"
#include "tracing/summary.h"
#include "tracing/trace_list.h"

namespace mmt::cli {

using command::bound_memory;
using command::check_distinct;
using command::Failure;
using command::kMemoryHelp;
using command::kRunFailed;
using command::kUsage;
using command::tell;
using programs::AllocatorChoice;
using programs::Command;
using tracing::bytes_of_precision;
using tracing::export_formats;
using tracing::export_trace;
using tracing::JavaTrace;
using tracing::ListedTrace;
using tracing::record_program;
using tracing::RecordOptions;
using tracing::show_trace;
using tracing::traces_of;

namespace {

struct TraceFlags {
  CLI::App* app = nullptr;
  RecordOptions record;
  std::string allocator;
  bool is_java = false;
  std::string precision;
  std::vector<std::string> import;  // format, file
  std::vector<std::string> to;      // format, trace
  std::string show;
  std::string memory;
};

// Throws where two modes are given, as there can be one at a time.
void check_one_mode(const TraceFlags& flags, const Command& behind_marker) {
  int modes = 0;
  for (const char* name : {"--import", "--export", "--show"}) {
    if (flags.app->count(name) != 0) ++modes;
  }
  const bool has_command = !behind_marker.empty() || !flags.app->remaining().empty();
  if (modes > 1 || (modes == 1 && has_command)) {
    throw Failure(kUsage, "give a program, --import, --export or --show: one of them");
  }
}

const std::string& output_of(const TraceFlags& flags, const char* mode) {
  if (!flags.record.output.empty()) return flags.record.output;
  throw Failure(kUsage, fmt::format("{} needs -o FILE", mode));
}

void check_format(const std::string& format, const std::vector<std::string>& formats) {
  const std::string fault = one_of(formats)(const_cast<std::string&>(format));
  if (!fault.empty()) throw Failure(kUsage, fault);
}

int import(const TraceFlags& flags) {
  check_format(flags.import[0], tracefile::import_formats());
  const std::string& output = output_of(flags, "--import");
  check_distinct(output, flags.import[1]);
  const auto done = tracefile::import_trace(flags.import[0], flags.import[1], output);
  if (flags.record.quiet) return 0;
  tell(fmt::format(
      "{}: {} of {}, {} bytes an event", output, report::counted(done.events, "event", "events"),
      report::counted(done.objects, "object", "objects"),
      report::format_number(static_cast<double>(done.bytes) /
                            static_cast<double>(std::max<std::uint64_t>(done.events, 1)))));
  if (done.unknown != 0) {
    tell(fmt::format("{} of blocks that were never allocated: left out",
                     report::counted(done.unknown, "call", "calls")));
  }
  if (done.unfreed != 0) {
    tell(fmt::format("{} given out anew without a free; the trace has one there",
                     report::counted(done.unfreed, "block was", "blocks were")));
  }
  return 0;
}

int run_export(const TraceFlags& flags) {
  check_format(flags.to[0], export_formats());
  const std::string& output = output_of(flags, "--export");
  const std::vector<ListedTrace> traces = traces_of(flags.to[1]);
  if (traces.size() != 1) {
    throw Failure(kUsage,
                  fmt::format("'{}' lists {} traces: give one of them, such as '{}'", flags.to[1],
                              traces.size(), traces.empty() ? "" : traces.front().path));
  }
  check_distinct(output, flags.to[1]);
  check_distinct(output, traces.front().path);
  if (flags.to[0] == "parquet") become_laboratory("trace", {traces.front().path, output});
  export_trace(flags.to[0], traces.front().path, output);
  return 0;
}

int record_java(const TraceFlags& flags, const Command& command) {
  for (const char* name : {"--allocator", "--sites", "--events", "--seconds", "--no-follow"}) {
    if (flags.app->count(name) == 0) continue;
    throw Failure(kRunFailed, fmt::format("--java takes no {}: the machine's agent records", name));
  }
  JavaTrace trace{flags.record.output, JavaTrace().precision, flags.record.quiet};
  if (!flags.precision.empty()) trace.precision = bytes_of_precision(flags.precision);
  return tracing::record_java(trace, command);
}

AllocatorChoice chosen_allocator(const std::string& spec) {
  AllocatorChoice choice = resolve_allocator(spec, kRunFailed);
  if (choice.missing.empty()) return choice;
  throw Failure(kRunFailed, fmt::format("'{}' is not installed: {}", spec, choice.missing));
}

int run(const TraceFlags& flags, const Command& behind_marker) {
  check_one_mode(flags, behind_marker);
  const bool reads = !flags.show.empty() || !flags.import.empty() || !flags.to.empty();
  if (reads) bound_memory(flags.memory);
  if (!reads && !flags.memory.empty()) {
    throw Failure(kRunFailed, "--memory needs --import, --export or --show");
  }
  if (!flags.show.empty()) {
    show_trace(flags.show);
    return 0;
  }
  if (!flags.import.empty()) return import(flags);
  if (!flags.to.empty()) return run_export(flags);
  const Command command = program_command(*flags.app, behind_marker);
  if (flags.is_java) return record_java(flags, command);
  if (flags.app->count("--precision") != 0) throw Failure(kRunFailed, "--precision needs --java");
  RecordOptions record = flags.record;
  if (!flags.allocator.empty())
    record.allocator = [spec = flags.allocator] { return chosen_allocator(spec); };
  return record_program(record, command);
}

}  // namespace

Verb add_trace(CLI::App& root) {
  auto flags = std::make_shared<TraceFlags>();
  CLI::App* app =
      root.add_subcommand("trace", "Record what a program asks of its allocator, into a file");
  flags->app = app;
  app->prefix_command();
  RecordOptions& record = flags->record;
  app->add_option("--output,-o", record.output,
                  "Where the trace goes; without, the program's name and '.mtr'")
      ->type_name("FILE");
  app->add_option("--allocator", flags->allocator,
                  "What serves the program's malloc ('mmt list allocators', 'mmt list heaps'); "
                  "without, what serves it anyway")
      ->type_name("ALLOCATOR");
  app->add_flag("--sites", record.has_sites,
                "With call sites: who called, by file, function and line");
  app->add_option("--events", record.limits.events, "Stop recording after so many events")
      ->check(number_between<std::uint64_t>(1, std::uint64_t{1} << 60))
      ->type_name("N");
  app->add_option("--seconds", record.limits.seconds, "Stop recording after so many seconds")
      ->check(number_between(0.001, 1e9))
      ->type_name("SECONDS");
  app->add_flag("--no-follow", record.no_follow, "Programs that this one starts are not recorded");
  app->add_flag("--java", flags->is_java,
                "Objects of a Java program, and what its collector frees, by an agent");
  app->add_option("--precision", flags->precision,
                  "With --java: force a collection every so many bytes of allocation [1M]")
      ->type_name("BYTES");
  app->add_flag("--quiet,-q", record.quiet, "No messages of MMT's own");
  app->add_option("--import", flags->import,
                  "Make a trace of another tool's: mtrace, heaptrack, rep, memory_replay")
      ->expected(2)
      ->type_name("FORMAT FILE");
  app->add_option("--export", flags->to, "Write a trace as parquet, text or rep")
      ->expected(2)
      ->type_name("FORMAT TRACE");
  app->add_option("--show", flags->show, "Tell what is in a trace")->type_name("TRACE");
  app->add_option("--memory", flags->memory, kMemoryHelp)->type_name("SIZE");
  return {
      app,
      [flags](const Command& command) { return run(*flags, command); },
      "mmt trace [options] -- program [arguments]",
      {{"mmt trace -o gawk.mtr -- gawk -f words.awk text", "record a program and its children"},
       {"mmt trace --allocator mmt -- ./server", "the same, with its memory managed by MMT"},
       {"mmt trace --java -o F.mtr --precision 1M -- java -cp . Main", "a Java program's objects"},
       {"mmt trace --show gawk.mtr", "what is in a trace"},
       {"mmt trace --import heaptrack h.zst -o h.mtr", "a trace of what heaptrack recorded"}}};
}

}  // namespace mmt::cli
