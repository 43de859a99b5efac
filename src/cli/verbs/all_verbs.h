// The verbs of `mmt`, each a file beside this one.
#pragma once

#include <vector>

#include <CLI/App.hpp>

#include "cli/command_line/verb.h"

namespace mmt::cli {

// `mmt` with all its verbs, as declared.
struct CommandLine {
  CommandLine();
  CLI::App root;
  std::vector<Verb> verbs;
};

}  // namespace mmt::cli
