// The outermost heap of a composition, with the functions that C has: AnsiHeap's. What must see
// every block come and go lies below it, as its realloc and calloc call what lies below.
#pragma once

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class H>
concept FrontHeap = Heap<H> && requires(H& heap, void* block, size_t bytes) {
  { heap.realloc(block, bytes) } -> std::same_as<void*>;
};

}  // namespace mmt::layers
