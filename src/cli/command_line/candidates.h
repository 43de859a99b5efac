// Finds the values that an option may take, when they are asked for. They are what can be chosen by
// name, the files there are, and the processes that run.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/grammar.h"

namespace mmt::cli {

// Kinds, as types of options name them.
inline constexpr const char* kFileKind = "FILE";        // also FOLDER, PATH: the shell's own
inline constexpr const char* kProgramKind = "PROGRAM";  // of PATH, and files

// All values of the option's kind that may begin with `typed`, and those it names itself.
std::vector<std::string> candidates(const OptionGrammar& option, const std::string& typed);

}  // namespace mmt::cli
