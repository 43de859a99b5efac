// A trace's events from whatever holds them: a trace file of ours, or a text that others write. How
// the file begins tells which: heaptrack, mtrace, memory_replay or `.rep`. A text is converted as a
// whole, in memory.
#pragma once

#include <memory>
#include <string>

#include "sim/replay/event_source.h"

namespace mmt::sim {

// Throws std::runtime_error that names the file; as next() of what it gives.
std::unique_ptr<EventSource> open_trace(const std::string& path);

}  // namespace mmt::sim
