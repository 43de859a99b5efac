// `mmt simulate`: traces x models of allocators. The laboratory does it.
#include "cli/command_line/verb.h"
#include "cli/laboratory/laboratory.h"

namespace mmt::cli {

Verb add_simulate(CLI::App& root) {
  return add_laboratory_verb(root, "simulate", "Replay traces through models of allocators");
}

}  // namespace mmt::cli
