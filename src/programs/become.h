// Becoming the program of a command line, as verbs that run one do.
#pragma once

#include <string>

#include "programs/command.h"

namespace mmt::programs {

// Replaces this process by the program at `path`; `command` is its name and arguments. Throws a
// Failure (126) when the system refuses it.
[[noreturn]] void become(const std::string& path, const Command& command);

}  // namespace mmt::programs
