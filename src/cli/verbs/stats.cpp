// `mmt stats`: the processes under MMT, or the heap of one, once or repeatedly, as text or JSON.
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "cli/command_line/checks.h"
#include "cli/command_line/verb.h"
#include "cli/stats/process_list.h"
#include "cli/stats/process_report.h"
#include "cli/stats/screen.h"
#include "command/failure.h"

namespace mmt::cli {

using command::Failure;
using command::kFailed;
using command::kUsage;
using programs::Command;

namespace {

struct StatsFlags {
  int process = 0;  // 0: all
  bool full = false;
  bool json = false;
  double watch = 0;

  bool is_watching() const { return watch > 0; }
  // One object a line when watched, so that a reader can take them one by one.
  int indent() const { return is_watching() ? -1 : 2; }
};

// Shows what `text` gives until that is nothing.
int show(const StatsFlags& flags, const std::function<std::optional<std::string>()>& text) {
  Screen screen(flags.is_watching() && !flags.json);
  while (const auto shown = text()) {
    screen.show(*shown);
    if (!flags.is_watching()) return 0;
    std::this_thread::sleep_for(std::chrono::duration<double>(flags.watch));
  }
  return 0;
}

int show_all(const StatsFlags& flags) {
  return show(flags, [&flags]() -> std::optional<std::string> {
    const ProcessList list = list_processes();
    return flags.json ? json_of(list, flags.indent()) : text_of(list);
  });
}

int show_one(const StatsFlags& flags) {
  std::optional<Sample> before;
  return show(flags, [&]() -> std::optional<std::string> {
    Sample now = take_sample(flags.process, before.has_value());
    if (now.values.empty()) {
      if (before) return std::nullopt;
      throw Failure(kFailed, fmt::format("process {} has ended", flags.process));
    }
    const Sample* const earlier = before ? &*before : nullptr;
    std::string text = flags.json   ? json_of(now, flags.indent())
                       : flags.full ? table_of(now, earlier)
                                    : lines_of(now, earlier);
    before = std::move(now);
    return text;
  });
}

int run(const StatsFlags& flags, const Command& command) {
  if (!command.empty()) throw Failure(kUsage, "mmt stats takes a process id, no command");
  if (flags.process == 0 && flags.full) {
    throw Failure(kUsage, "--full is for one process: mmt stats PID --full");
  }
  return flags.process == 0 ? show_all(flags) : show_one(flags);
}

}  // namespace

Verb add_stats(CLI::App& root) {
  auto flags = std::make_shared<StatsFlags>();
  CLI::App* app =
      root.add_subcommand("stats", "Show the processes under MMT, or the heap of a running one");
  app->add_option("pid", flags->process, "Process that runs under MMT; without, all are listed")
      ->check(number_between(1, 1 << 30, "a process id; 'mmt stats' lists them"))
      ->type_name("PID");
  app->add_flag("--full", flags->full, "Every figure that there is of the process");
  app->add_flag("--json", flags->json, "As JSON, schema 1; with --watch one object a line");
  app->add_option("--watch", flags->watch,
                  "Again every so many seconds, until the program ends; in place at a terminal")
      ->check(number_between(0.01, 86400.0))
      ->type_name("SECONDS");
  return {app,
          [flags](const Command& command) { return run(*flags, command); },
          "mmt stats [options] [PID]",
          {{"mmt stats", "the processes under MMT"},
           {"mmt stats --watch 1 $(pidof server)", "the heap of one, once a second"}}};
}

}  // namespace mmt::cli
