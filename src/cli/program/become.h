// Becoming the program of a command line, as verbs that run one do.
#pragma once

#include <string>

#include "cli/verbs.h"

namespace mmt::cli {

// The program and its arguments: what stands behind "--", or begins with the first word that is no
// flag. In the second form a "--" further on belongs to the program. Throws a Failure (125) where
// there is none.
Command program_command(const CLI::App& app, const Command& behind_marker);

// Replaces this process by the program at `path`; `command` is its name and arguments. Throws a
// Failure (126) when the system refuses it.
[[noreturn]] void become(const std::string& path, const Command& command);

}  // namespace mmt::cli
