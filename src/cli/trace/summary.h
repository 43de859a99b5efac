// What is in a trace, in some lines.
#pragma once

#include <string>

namespace mmt::cli {

// Of a trace, or of each that a list names, on standard output. Of one that is damaged, or failed
// by the list, it tells what stands before that; it throws std::runtime_error when all were told.
void show_trace(const std::string& path);

}  // namespace mmt::cli
