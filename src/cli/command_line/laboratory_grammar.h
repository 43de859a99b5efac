// The grammar of a verb that the laboratory does, by asking it: `VERB --grammar` prints it as JSON
// (docs/laboratory.md).
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/grammar.h"

namespace mmt::cli {

// Without a laboratory, or when it does not answer, only what the verb's declaration says.
VerbGrammar laboratory_grammar(const Verb& verb, const std::vector<std::string>& typed);

}  // namespace mmt::cli
