#pragma once
// Where heaps on a thread of their own have their memory from: not the program break, which the
// program may be moving meanwhile, but mappings that leave it a tebibyte to grow.
#include <mmt/layers/source/stretch_heap.h>

namespace mmt::heaps {

using OffloadedSource = layers::StretchHeap<size_t{1} << 40>;

}  // namespace mmt::heaps
