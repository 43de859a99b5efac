// The manual page's part that tells of verbs, options, heaps and protocols, in the language of
// man(7).
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/verb.h"

namespace mmt::cli {

std::string manual_of(const CLI::App& root, const std::vector<Verb>& verbs);

}  // namespace mmt::cli
