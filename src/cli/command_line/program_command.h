// The program that a verb is to run, of its command line.
#pragma once

#include "cli/command_line/verb.h"

namespace mmt::cli {

// The program and its arguments: what stands behind "--", or begins with the first word that is no
// flag. In the second form a "--" further on belongs to the program. Throws a Failure (125) where
// there is none.
programs::Command program_command(const CLI::App& app, const programs::Command& behind_marker);

}  // namespace mmt::cli
