// Text that is broken between words to fit a console.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mmt::report {

inline constexpr std::size_t kConsoleWidth = 80;

// `label`, and behind it `words`, whose further lines stand below its first, as visible() shows
// them. A word that is too long for a line is not broken. Each line is ended by '\n'.
std::string wrapped(std::string_view label, std::string_view words,
                    std::size_t width = kConsoleWidth);

}  // namespace mmt::report
