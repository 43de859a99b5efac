// What is in a trace, in some lines.
#pragma once

#include <string>

namespace mmt::cli {

// Of a trace, or of each that a list names. Throws std::runtime_error where one is damaged, after
// what stands before that was told on standard output.
void show_trace(const std::string& path);

}  // namespace mmt::cli
