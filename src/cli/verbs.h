// The verbs of `mmt`. Each add_...() declares one on the command line and returns what runs it; the
// returned function is called once, after parsing, when its verb was chosen, and gives the exit
// status of the process.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace mmt::cli {

using Command = std::vector<std::string>;

struct Verb {
  CLI::App* app = nullptr;
  // `command` is what followed the first "--" on the command line; empty when there was none.
  std::function<int(const Command& command)> run;
};

Verb add_run(CLI::App& root);
Verb add_stats(CLI::App& root);
Verb add_list(CLI::App& root);
Verb add_doctor(CLI::App& root);
Verb add_bench(CLI::App& root);
Verb add_study(CLI::App& root);
Verb add_report(CLI::App& root);
// Not shown in the help: prints which file serves malloc in this process. `mmt bench` starts itself
// with it, to prove that an allocator takes over.
Verb add_probe(CLI::App& root);
// Not shown either: runs one program and tells what it took. `mmt study` starts it for each run.
Verb add_measure(CLI::App& root);

}  // namespace mmt::cli
