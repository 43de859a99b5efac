#pragma once
// Whether recycling is worth its cost over this library: its own pair of malloc and free against
// ours, measured once in the running process.
#include <cstddef>

namespace mmt::agnostic {

// Takes some tens of microseconds. `ours` must serve the calling thread by magazines.
bool is_faster_than_library(void* (*our_malloc)(size_t), void (*our_free)(void*));

}  // namespace mmt::agnostic
