#pragma once
// Blocks above store::kMaxClassSize are each a run of slots of their own. The memory that they
// take beyond the depot's free runs is made of memory that lies free elsewhere, as far as that
// goes. Pages are moved to a place instead of being faulted in there. See docs/native_heap.md.
//
// Any thread may call these in any context, also in a signal handler that interrupted another of
// these calls. Signals are blocked while something is on its way to or from the free memory.
#include <cstddef>

namespace mmt::heap {

struct Heap;

// `alignment` is a power of two. nullptr when memory is short.
void* allocate_large(Heap& heap, size_t bytes, size_t alignment);
// One that reads as zero.
void* allocate_large_zeroed(Heap& heap, size_t bytes);
// *zeroed: all of it reads as zero, and holds no memory.
void* allocate_large_for_copy(Heap& heap, size_t bytes, bool* zeroed);
void deallocate_large(Heap& heap, void* block);
// The same for one whose slots hold no memory: all of its pages went back to the system.
void deallocate_large_emptied(Heap& heap, void* block);
// Resizes a block where it stands or moves its pages to *block's new place. False: it is as it was,
// and has to be copied.
bool reallocate_large(Heap& heap, void** block, size_t bytes);

}  // namespace mmt::heap
