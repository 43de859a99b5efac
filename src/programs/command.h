// A program and its arguments.
#pragma once

#include <string>
#include <vector>

namespace mmt::cli {

using Command = std::vector<std::string>;

}  // namespace mmt::cli
