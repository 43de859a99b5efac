// A program and its arguments.
#pragma once

#include <string>
#include <vector>

namespace mmt::programs {

using Command = std::vector<std::string>;

}  // namespace mmt::programs
