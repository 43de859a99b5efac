// The verbs of `mmt`, each a file of verbs/.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace mmt::cli {

using Command = std::vector<std::string>;

struct Verb {
  CLI::App* app = nullptr;
  // Called once, after parsing, when the verb was chosen; gives the exit status of the process.
  // `command` is what followed the first "--" on the command line; empty when there was none.
  std::function<int(const Command& command)> run;
};

// Declares all of them on the command line.
std::vector<Verb> add_verbs(CLI::App& root);

}  // namespace mmt::cli
