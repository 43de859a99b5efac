// What LD_PRELOAD becomes for the program of `mmt run`.
#pragma once

#include <string>
#include <string_view>

namespace mmt::cli {

// `library` before everything that `current` (the LD_PRELOAD there is, maybe empty) names; an
// earlier mention of the same library is left out. Throws a Failure (125) when LD_PRELOAD cannot
// express the library's path: it separates by spaces and colons and expands '$'.
std::string prepend_preload(const std::string& library, std::string_view current);

}  // namespace mmt::cli
