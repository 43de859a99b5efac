// The laboratory (lab/, a Python package), which some verbs become. It parses what follows the verb
// itself. Here it is only found. Variables MMT_LAB_... of the environment tell it where the rest of
// MMT is, and of which commit.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/verb.h"

namespace mmt::cli {

// Declares a verb that the laboratory does. `name` is what the laboratory knows it by, too. Running
// it replaces this process; it throws a Failure when there is no laboratory or no Python.
Verb add_laboratory_verb(CLI::App& root, const std::string& name, const std::string& help);

// Throws a Failure when there is no laboratory or no Python.
void require_laboratory();

// What else of a verb the laboratory does: as `mmt VERB WORDS...` would be, were it all of its.
[[noreturn]] void become_laboratory(const std::string& verb, const std::vector<std::string>& words);

}  // namespace mmt::cli
