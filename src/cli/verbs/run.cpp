// `mmt run` becomes the program (exec) with the options in the environment. It preloads libmmt.so,
// or a heap's library, or a protocol's and the allocator's behind it. Signals, exit status, job
// control and standard streams are therefore the program's own. With --stats it becomes the
// program's parent instead.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/command_line/program_command.h"
#include "cli/command_line/verb.h"
#include "cli/machine/bound_cpu.h"
#include "cli/registry/allocator_spec.h"
#include "cli/registry/allocators.h"
#include "cli/registry/applying.h"
#include "cli/registry/config.h"
#include "cli/registry/heaps.h"
#include "cli/registry/protocols.h"
#include "cli/registry/setting_flags.h"
#include "cli/registry/settings.h"
#include "cli/stats/run_with_statistics.h"
#include "command/failure.h"
#include "command/message.h"
#include "interprocess/heap_options.h"
#include "programs/become.h"
#include "programs/elf.h"
#include "programs/preload.h"
#include "programs/program.h"

namespace mmt::cli {

using command::Failure;
using command::kRunFailed;
using command::tell;
using programs::AllocatorChoice;
using programs::become;
using programs::check_preloadable;
using programs::Command;
using programs::ElfFile;
using programs::find_obstacle;
using programs::find_obstacle_in_libraries;
using programs::find_program;
using programs::Obstacle;
using programs::prepend_preloads;
using programs::without_preloads;

namespace {

struct RunFlags {
  CLI::App* app = nullptr;
  SettingFlags settings;
  bool quiet = false;
  bool no_follow = false;
  bool strict = false;
  std::string stats;
  std::string harden;
  std::string guard;
  std::string heap = kNativeHeap;
  std::string backend;   // not given: glibc's with a protocol, the native heap without
  std::string protocol;  // not given: ours

  // An empty name is given, and wrong.
  bool has_backend() const { return app->count("--backend") != 0; }
  bool has_protocol() const { return app->count("--protocol") != 0; }
  // The native heap on its own memory thread.
  bool is_native() const { return heap == kNativeHeap && !is_over_library(); }
  // An allocator behind a protocol's library.
  bool is_over_library() const { return has_backend() ? backend != kNativeHeap : has_protocol(); }
};

// What this `mmt run` has put into LD_PRELOAD, for one inside the program to take out again: a
// backend's library is not known by its name.
constexpr const char* kPreloaded = "MMT_PRELOADED";

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void set_or_remove(const char* name, const std::string& value) {
  if (value.empty()) {
    ::unsetenv(name);
  } else {
    ::setenv(name, value.c_str(), 1);
  }
}

// Later ones win, and flags over the environment: MMT_NAME is what the library takes last.
void apply(const std::vector<Setting>& settings) {
  for (const Setting& one : settings) {
    const bool is_path = one.name == "stats" || one.name == "harden_report";
    const std::string value = is_path ? report_path(one.value, kRunFailed) : one.value;
    ::setenv(variable_of(one.name).c_str(), value.c_str(), 1);
  }
}

std::vector<Setting> all_settings(const RunFlags& flags) {
  std::vector<Setting> settings = configured_settings(kRunFailed);
  for (Setting& one : flags.settings.settings(kRunFailed)) settings.push_back(std::move(one));
  if (flags.no_follow) settings.push_back({"follow", "off", "--no-follow"});
  if (!flags.harden.empty()) {
    settings.push_back({"harden", flags.harden, "--harden"});
    check_setting(settings.back(), "--harden", kRunFailed);
  }
  if (!flags.guard.empty()) {
    settings.push_back({"guard", flags.guard, "--guard"});
    check_setting(settings.back(), "--guard", kRunFailed);
  }
  return settings;
}

// The flag that chooses what serves the program, where that is not the native heap.
std::string choosing_flag(const RunFlags& flags) {
  if (!flags.is_over_library()) return fmt::format("--heap {}", flags.heap);
  return flags.has_backend() ? fmt::format("--backend {}", flags.backend)
                             : fmt::format("--protocol {}", flags.protocol);
}

void tell_of_ignored(const std::vector<Setting>& ignored, const std::string& choice) {
  std::vector<std::string> places;
  for (const Setting& one : ignored) places.push_back(place_of(one));
  tell(fmt::format("{} ignores options of the native heap: {}", choice, fmt::join(places, ", ")));
}

// Why processes tell no figures; empty: they do. `obstacle` keeps MMT out of the program.
std::string why_silent(const RunFlags& flags, const std::optional<Obstacle>& obstacle) {
  if (obstacle) return fmt::format("MMT serves nothing there: {}", obstacle->reason);
  if (flags.is_native()) return "";
  if (!flags.is_over_library()) return fmt::format("heap {} has no statistics page", flags.heap);
  return fmt::format("protocol {} over {} has no statistics page",
                     flags.has_protocol() ? flags.protocol : kOwnProtocol,
                     flags.has_backend() ? flags.backend : "glibc");
}

// How the program's malloc is served.
AllocatorChoice chosen(const RunFlags& flags, NativeHeap kind) {
  if (flags.is_native()) return on_native_heap(kind, kRunFailed);
  if (!flags.is_over_library()) return on_heap(flags.heap, kRunFailed);
  return behind_protocol(flags.has_backend() ? flags.backend : "glibc",
                         flags.has_protocol() ? flags.protocol : kOwnProtocol, kRunFailed);
}

// The libraries that the program gets, as LD_PRELOAD takes them.
std::string libraries(const RunFlags& flags, const AllocatorChoice& choice) {
  const std::string_view remedy = flags.is_native() ? "point MMT_LIBRARY to a copy elsewhere"
                                                    : "move the installation elsewhere";
  std::string list = choice.serves_malloc();
  check_preloadable(list, remedy);
  for (std::size_t i = 1; i < choice.libraries.size(); ++i) {
    check_preloadable(choice.libraries[i], "give --backend the path of a copy elsewhere");
    list = prepend_preloads(list, choice.libraries[i]);
  }
  return list;
}

// What the hardened heap alone understands, and is asked of another. Reports are the guarding one's
// too.
void refuse_hardened(const std::vector<Setting>& settings, NativeHeap kind) {
  for (const Setting& one : settings) {
    if (!one.name.starts_with("harden_") || !one.source.starts_with("-")) continue;
    const bool is_of_reports = one.name == "harden_after" || one.name == "harden_report";
    if (is_of_reports && kind == NativeHeap::kGuarding) continue;
    throw Failure(kRunFailed,
                  fmt::format("{} is an option of the hardened heap: give --harden{}, too",
                              place_of(one), is_of_reports ? " or --guard" : ""));
  }
}

// Refuses flags that exclude one another.
void check_choice(const RunFlags& flags) {
  if (flags.heap != kNativeHeap && (flags.has_backend() || flags.has_protocol())) {
    throw Failure(kRunFailed,
                  "--heap runs in line, --backend and --protocol on the memory thread: give one of "
                  "them");
  }
  const bool is_native = flags.is_native();
  if (!flags.guard.empty() && (!flags.harden.empty() || !is_native)) {
    throw Failure(kRunFailed,
                  fmt::format("--guard is of the native heap alone: give it without {}",
                              !flags.harden.empty() ? "--harden" : choosing_flag(flags)));
  }
  // Its own protocol, or none is given.
  if (flags.backend == kNativeHeap && flags.has_protocol()) {
    behind_protocol(flags.backend, flags.protocol, kRunFailed);
  }
}

// What the user preloads stands behind a protocol's library, and would be what it takes for the C
// library's malloc.
void check_no_other_malloc(const std::string& preloads) {
  for (std::size_t from = 0; from < preloads.size();) {
    const std::size_t to = std::min(preloads.find_first_of(" :", from), preloads.size());
    const std::string one = preloads.substr(from, to - from);
    const auto file = ElfFile::open(find_shared_library(one));
    if (file && file->defines("malloc")) {
      throw Failure(
          kRunFailed,
          fmt::format("LD_PRELOAD names '{}', which replaces glibc's malloc: unset it, or "
                      "give --backend {}",
                      one, one));
    }
    from = to + 1;
  }
}

// Says what keeps the memory thread out, and returns it.
std::optional<Obstacle> warn_of_obstacle(const RunFlags& flags, bool quiet, const std::string& name,
                                         const std::string& path) {
  std::optional<Obstacle> obstacle = find_obstacle(path);
  if (!obstacle && flags.strict) obstacle = find_obstacle_in_libraries(path);
  if (!obstacle) return std::nullopt;
  const bool is_in_line = !flags.is_native() && !flags.is_over_library();
  const std::string text =
      fmt::format("{} cannot serve '{}': {}", is_in_line ? "the heap" : "the memory thread", name,
                  obstacle->reason);
  if (flags.strict) throw Failure(kRunFailed, text);
  if (!quiet) tell(text + "; running it without");
  return obstacle;
}

// "--stats FILE" is easily written for "--stats=FILE", and FILE is the program then.
std::string program_path(const RunFlags& flags, const Command& command,
                         const Command& behind_marker) {
  try {
    return find_program(command.front());
  } catch (const Failure& failure) {
    if (flags.stats != "-" || command.size() == behind_marker.size()) throw;
    throw Failure(failure.status(), fmt::format("{}; a file for statistics is given as --stats={}",
                                                failure.what(), command.front()));
  }
}

int run(const RunFlags& flags, const Command& behind_marker) {
  const Command command = program_command(*flags.app, behind_marker);
  check_environment(kRunFailed);
  check_choice(flags);
  const bool is_native = flags.is_native();
  const Applying applying =
      is_native ? Applying{all_settings(flags), {}}
                : applying_to_others(all_settings(flags), choosing_flag(flags), kRunFailed);
  const std::vector<Setting>& settings = applying.settings;
  if (is_native) check_cpu(resolved_value("cpu", settings), kRunFailed);
  const NativeHeap kind = is_native ? native_heap_of(settings, kRunFailed) : NativeHeap::kPlain;
  if (is_native && kind != NativeHeap::kHardened) refuse_hardened(settings, kind);
  const AllocatorChoice choice = chosen(flags, kind);
  std::string own = libraries(flags, choice);
  const std::string path = program_path(flags, command, behind_marker);
  apply(settings);
  if (flags.quiet) ::setenv(variable_of("quiet").c_str(), "on", 1);
  const bool quiet = flags.quiet || heap::is_on(resolved_value("quiet", settings).c_str());
  if (!quiet && !applying.ignored.empty()) {
    tell_of_ignored(applying.ignored, choosing_flag(flags));
  }
  const auto obstacle = warn_of_obstacle(flags, quiet, command.front(), path);
  if (obstacle && obstacle->harmful) own.clear();
  // Without those of an outer `mmt run`: a protocol would have them for its backend.
  const std::string others =
      without_preloads(environment_value("LD_PRELOAD"), environment_value(kPreloaded));
  if (flags.is_over_library() && !own.empty() && choice.libraries.size() == 1)
    check_no_other_malloc(others);
  set_or_remove("LD_PRELOAD", own.empty() ? others : prepend_preloads(own, others));
  set_or_remove(kPreloaded, own);
  ::unsetenv("MMT_PROTOCOL_OPTIONS");  // of an outer one
  for (const auto& [name, value] : choice.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (flags.stats.empty()) become(path, command);
  return run_with_statistics({command.front(), own, why_silent(flags, obstacle)}, flags.stats,
                             [&] { become(path, command); });
}

}  // namespace

Verb add_run(CLI::App& root) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* app = root.add_subcommand("run", "Run a program with its memory managed by MMT");
  flags->app = app;
  app->prefix_command();
  app->add_flag(
         "--stats{-}", flags->stats,
         "Tell of the program's memory when it has ended, on stderr or in --stats=FILE (%p: "
         "process "
         "id, %e: program name; JSON when it ends in .json); --stats=full: every figure of each "
         "process")
      ->type_name("[=FILE]");
  app->add_flag(
         "--harden{async}", flags->harden,
         "Check the heap for errors of the program: --harden=async reports and goes on, and exits "
         "with 1; =sync ends the program at the wrong call; =debug, =phk, =openbsd: see option "
         "harden; 'mmt explain' shows the lines")
      ->type_name("[=PRESET]");
  app->add_flag(
         "--guard{5000}", flags->guard,
         "Serve one in RATE allocations from guarded places, and report errors of the program that "
         "meet one: at hardly any cost, for every day; the status is 1 then")
      ->type_name("[=RATE]");
  app->add_flag("--no-follow", flags->no_follow, "Programs that this one starts run without MMT");
  app->add_flag("--quiet,-q", flags->quiet, "No messages of MMT's own");
  app->add_flag("--strict", flags->strict,
                "Refuse to run a program that the memory thread cannot serve");
  app->add_option("--heap", flags->heap,
                  "Run on this heap in line, without the memory thread ('mmt list heaps')")
      ->type_name("HEAP");
  app->add_option("--backend", flags->backend,
                  "Put this allocator behind the memory thread ('mmt list backends'), or any "
                  "library that replaces malloc, by its path")
      ->type_name("BACKEND");
  app->add_option("--protocol", flags->protocol,
                  "How the program and the memory thread share the work ('mmt list protocols')")
      ->type_name("PROTOCOL[:OPTION=VALUE,...]");
  flags->settings.add_to(*app);
  return {app,
          [flags](const Command& command) { return run(*flags, command); },
          "mmt run [options] -- program [arguments]",
          {{"mmt run -- ./server --port 80", "its malloc is served by the memory thread"},
           {"mmt run --stats -- sort words.txt", "the same, and tell of its memory at the end"},
           {"mmt run --harden -- ./server", "the same, and report errors of the heap"},
           {"mmt run --guard -- ./server", "the same of a few blocks, at hardly any cost"},
           {"mmt run --decay 0 --huge-pages off -- ./server", "keep its memory small"},
           {"mmt run --backend jemalloc -- ./server",
            "leave jemalloc as it is, with a thread "
            "beside it"}}};
}

}  // namespace mmt::cli
