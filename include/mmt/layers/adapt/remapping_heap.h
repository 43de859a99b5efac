// A heap with `void* remap(void* block, size_t bytes)`: moves pages about to make a block smaller
// or larger, contents kept; null leaves the block as it was. It must be the heap's own function:
// what a layer inherits takes the blocks of the heap below it.
#pragma once

#include <concepts>

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class H>
concept RemappingHeap = Heap<H> && requires {
  { &H::remap } -> std::same_as<void* (H::*)(void*, size_t)>;
};

}  // namespace mmt::layers
