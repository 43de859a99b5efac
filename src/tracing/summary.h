// What is in a trace, in some lines.
#pragma once

#include <string>

namespace mmt::tracing {

// Tells of a trace, or of each that a list names, on standard output. Where a trace is damaged, or
// failed by the list, it tells what stands before that. In that case it throws std::runtime_error
// when all were told.
void show_trace(const std::string& path);

}  // namespace mmt::tracing
