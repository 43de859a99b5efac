// `mmt report`: joins results of `mmt bench` and `mmt study` into one page. The laboratory does it.
#include "cli/command_line/verb.h"
#include "cli/laboratory/laboratory.h"

namespace mmt::cli {

Verb add_report(CLI::App& root) {
  return add_laboratory_verb(root, "report", "Join results of bench and study into one page");
}

}  // namespace mmt::cli
