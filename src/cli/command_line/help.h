// The help of `mmt` and of its verbs: usage first, then what it does, its options, and examples. No
// line is longer than 80 columns.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/grammar.h"

namespace mmt::cli {

std::string help_of(const VerbGrammar& verb);

std::string help_of_root(const CLI::App& root, const std::vector<Verb>& verbs);

}  // namespace mmt::cli
