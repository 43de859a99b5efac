#pragma once
// Heaps on a thread of their own have their memory from here. They do not take it from the program
// break, which the program may be moving meanwhile. They take mappings that leave the break a
// tebibyte to grow.
#include <mmt/layers/source/stretch_heap.h>

namespace mmt::heaps {

using OffloadedSource = layers::StretchHeap<size_t{1} << 40>;

}  // namespace mmt::heaps
