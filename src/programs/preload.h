// What LD_PRELOAD becomes for the program of `mmt run`. Lists of libraries are as LD_PRELOAD has
// them, separated by colons or spaces.
#pragma once

#include <string>
#include <string_view>

namespace mmt::programs {

// Throws a Failure (125) that ends in `remedy` when LD_PRELOAD cannot express the library's path:
// it separates by spaces and colons and expands '$'.
void check_preloadable(const std::string& library, std::string_view remedy);

// What `current` names but `libraries` does not, in its order.
std::string without_preloads(std::string_view current, std::string_view libraries);

// `libraries` before everything that `current` (the LD_PRELOAD there is, maybe empty) names; an
// earlier mention of the same libraries is left out.
std::string prepend_preloads(std::string_view libraries, std::string_view current);

}  // namespace mmt::programs
