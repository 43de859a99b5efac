// Lines of an input, as they come.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cli/explain/report_reader.h"

namespace mmt::cli {

// Longer lines come in pieces.
inline constexpr std::size_t kLongestLine = std::size_t{64} << 10;

// Calls `take` for each line, and `pause` before it waits for more. Throws a command::Failure that
// names the input: it cannot be read.
void for_each_line(int descriptor, const std::string& name,
                   const std::function<void(const InputLine&)>& take,
                   const std::function<void()>& pause);

}  // namespace mmt::cli
