// A verb of `mmt`, as declared: what the command line has to know of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "programs/command.h"

namespace mmt::cli {

struct Example {
  std::string command;
  std::string shows;  // what it is for, in a line
};

struct Verb {
  CLI::App* app = nullptr;
  // Called once, after parsing, when the verb was chosen; gives the exit status of the process.
  // `command` is what followed the first "--" on the command line; empty when there was none.
  std::function<int(const programs::Command& command)> run;
  // For its help. Without a usage that of its options and operands is shown.
  std::string usage = {};
  std::vector<Example> examples = {};
  // The laboratory does it, and knows its options.
  bool is_laboratory = false;
};

}  // namespace mmt::cli
