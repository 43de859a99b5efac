// What the shells' completions offer.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/verb.h"

namespace mmt::cli {

// What the last of the words may become, in order, each once. `words` are those behind "mmt", the
// last one not typed to its end, maybe empty.
std::vector<std::string> complete(const CLI::App& root, const std::vector<Verb>& verbs,
                                  const std::vector<std::string>& words);

}  // namespace mmt::cli
