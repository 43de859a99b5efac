// `mmt check`: whether MMT is for a program, and in which mode. The laboratory does it.
#include "cli/command_line/verb.h"
#include "cli/laboratory/laboratory.h"

namespace mmt::cli {

Verb add_check(CLI::App& root) {
  return add_laboratory_verb(root, "check",
                             "Say whether a program gains by MMT, and in which mode");
}

}  // namespace mmt::cli
