// The allocator as a composition of heap layers.
#pragma once

#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/special/xalloc_heap.h>

#include "classic/parser/allocators/arena_memory.h"

using XallocLayers = mmt::layers::Pipe<mmt::layers::MmapHeap, mmt::layers::Xalloc<kArenaBytes>>;

inline void* take_of(XallocLayers& heap, size_t bytes) {
  void* block = heap.malloc(bytes);
  if (__builtin_expect(block == nullptr, 0)) arena_full();
  return block;
}
