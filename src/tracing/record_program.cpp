#include "tracing/record_program.h"

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "command/distinct_files.h"
#include "command/failure.h"
#include "command/message.h"
#include "programs/become.h"
#include "programs/installation.h"
#include "programs/preload.h"
#include "programs/program.h"
#include "programs/supervise.h"
#include "report/units.h"
#include "trace/pool.h"

namespace mmt::tracing {

using command::check_distinct;
using command::Failure;
using command::kRunFailed;
using command::tell;
using programs::AllocatorChoice;
using programs::become;
using programs::check_preloadable;
using programs::Command;
using programs::end_like;
using programs::Ending;
using programs::find_obstacle;
using programs::find_program;
using programs::library_beside;
using programs::prepend_preloads;
using programs::supervise;
using programs::without_preloads;

namespace {

// What an outer `mmt run` has put into LD_PRELOAD.
constexpr const char* kPreloaded = "MMT_PRELOADED";

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The recorder, and the allocator behind it.
std::string libraries(const AllocatorChoice& choice) {
  std::string list = library_beside("libmmt-trace.so", kRunFailed);
  check_preloadable(list, "move the installation elsewhere");
  for (const std::string& one : choice.libraries) {
    check_preloadable(one, "give the path of a copy elsewhere");
    list += ":" + one;
  }
  return list;
}

void set_up_environment(const AllocatorChoice& choice, const std::string& own,
                        const std::string& pool) {
  std::string others = environment_value("LD_PRELOAD");
  const bool is_chosen = !choice.libraries.empty();
  if (is_chosen) others = without_preloads(others, environment_value(kPreloaded));
  ::setenv("LD_PRELOAD", prepend_preloads(own, others).c_str(), 1);
  if (is_chosen) ::setenv(kPreloaded, own.c_str(), 1);
  ::setenv(trace::kPoolVariable, pool.c_str(), 1);
  for (const auto& [name, value] : choice.environment) ::setenv(name.c_str(), value.c_str(), 1);
}

void tell_of_unrecorded(const Recording& recording) {
  const auto programs = recording.unrecorded();
  if (programs.empty()) return;
  const Unrecorded::Program& first = programs.front();
  const std::string others =
      programs.size() == 1
          ? ""
          : fmt::format(" and {}",
                        report::counted(programs.size() - 1, "other program", "other programs"));
  tell(fmt::format(
      "not recorded: '{}' (process {}){}: linked statically, or with a cleared "
      "environment, another root folder or /dev/shm, other rights, or a limit of memory "
      "(ulimit -v)",
      first.command, first.process, others));
}

void tell_of(const Recording& recording, const std::string& output, bool is_quiet) {
  if (!recording.error().empty()) tell(recording.error());
  for (const std::string& one : recording.faults()) {
    if (one != recording.error()) tell(one);
  }
  if (const std::size_t failed = recording.failed().size();
      failed + recording.processes().size() > 1 && failed != 0) {
    tell(fmt::format("{}: not whole: {} of {}", output, report::counted(failed, "trace", "traces"),
                     failed + recording.processes().size()));
  }
  if (is_quiet) return;
  RecordedProcess sum;
  for (const RecordedProcess& one : recording.processes()) {
    sum.events += one.events;
    sum.objects += one.objects;
    sum.bytes += one.bytes;
    sum.threads += one.threads;
  }
  if (sum.events == 0 && !recording.error().empty()) return;
  if (sum.events == 0) {
    tell_of_unrecorded(recording);
    tell(
        fmt::format("{}: no event was recorded: the program has not called malloc, or no library "
                    "can be loaded into it",
                    output));
    return;
  }
  const std::size_t count = recording.processes().size();
  tell(fmt::format("{}: {} of {} in {} of {}", output,
                   report::counted(sum.events, "event", "events"),
                   report::counted(sum.objects, "object", "objects"),
                   report::counted(sum.threads, "thread", "threads"),
                   report::counted(count, "process", "processes")));
  tell(fmt::format(
      "{} bytes an event; the program waited {} for the recording, and may have been "
      "slower by what recording itself takes, which is not known",
      report::format_number(static_cast<double>(sum.bytes) / static_cast<double>(sum.events)),
      report::counted(recording.waits(), "time", "times")));
  if (recording.counts().unfreed != 0) {
    tell(fmt::format("{} given out anew without a free that could be seen; the trace has one there",
                     report::counted(recording.counts().unfreed, "block was", "blocks were")));
  }
  tell_of_unrecorded(recording);
  if (recording.still_running() != 0) {
    tell(fmt::format(
        "the recording ended with the program, while {} of it still ran",
        report::counted(recording.still_running(), "other process", "other processes")));
  }
  if (recording.counts().unknown != 0) {
    tell(fmt::format("{} of a block whose allocation was not seen; the trace has none there",
                     report::counted(recording.counts().unknown, "free or resize was",
                                     "frees and resizes were")));
  }
}

}  // namespace

int record_program(const RecordOptions& options, const Command& command) {
  const std::string path = find_program(command.front());
  if (const auto obstacle = find_obstacle(path)) {
    throw Failure(kRunFailed,
                  fmt::format("cannot record '{}': {}", command.front(), obstacle->reason));
  }
  const AllocatorChoice choice = options.allocator ? options.allocator() : AllocatorChoice();
  const std::string own = libraries(choice);
  const std::string output =
      !options.output.empty() ? options.output
                              : std::filesystem::path(command.front()).filename().string() + ".mtr";
  check_distinct(output, path, kRunFailed);
  Ending ending;
  {
    Recording recording(output, options.limits, options.has_sites, options.no_follow);
    set_up_environment(choice, own, recording.pool_path());
    ending =
        supervise([&] { become(path, command); }, recording.news(), [&] { recording.read_on(); });
    // Else an earlier trace stays.
    if (ending.is_started) {
      recording.finish();
      tell_of(recording, output, options.quiet);
      const bool is_well = WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 0;
      if (is_well && !recording.error().empty()) return kRunFailed;
    }
  }
  if (WIFEXITED(ending.status)) return WEXITSTATUS(ending.status);
  end_like(ending.status);
}

}  // namespace mmt::tracing
