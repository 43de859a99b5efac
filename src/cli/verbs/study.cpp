// `mmt study`: regenerates figures and tables of the papers. The laboratory does it.
#include "cli/command_line/verb.h"
#include "cli/laboratory/laboratory.h"

namespace mmt::cli {

Verb add_study(CLI::App& root) {
  return add_laboratory_verb(root, "study",
                             "Regenerate figures and tables of the papers on this machine");
}

}  // namespace mmt::cli
