// `mmt simulate`: traces x models of allocators. The laboratory does it.
#include "cli/laboratory.h"
#include "cli/verbs.h"

namespace mmt::cli {

Verb add_simulate(CLI::App& root) {
  return add_laboratory_verb(root, "simulate", "Replay traces through models of allocators");
}

}  // namespace mmt::cli
