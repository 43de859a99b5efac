// The name that was probably meant where another was written.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mmt::command {

// The one nearest to `word` (interprocess/nearest.h). Empty: none.
std::string nearest(std::string_view word, std::span<const std::string> names);

// For the end of a message: "; did you mean 'run'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

}  // namespace mmt::command
