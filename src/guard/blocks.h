#pragma once
// Blocks of the pool, with the meaning of malloc(3). Any thread may call these, in any context.
// What is wrong with a call is reported once for each place, and then let be.
#include <cstddef>

#include <mmt/core/compiler.h>

#include "guard/pool.h"

namespace mmt::guard {

// As the library is loaded, before the program has threads.
void begin();

MMT_ALWAYS_INLINE bool owns(const void* block) { return pool.contains(block); }

// An allocation that is due (turns.h); the next one's turn is drawn. nullptr: the heap is to serve
// it. `alignment` is a power of two.
MMT_COLD void* allocate(size_t bytes, size_t alignment, const void* caller);
// The same with bytes of zero.
MMT_COLD void* allocate_zeroed(size_t bytes, const void* caller);
// A block of the heap moves to a place, if it is small enough; nullptr: it stays.
MMT_COLD void* move_in(void* block, size_t bytes, const void* caller);

// These are for addresses that the pool owns.
MMT_COLD void deallocate(void* block, const void* caller);
// The block moves to the heap. nullptr: there is no memory, and it stays.
MMT_COLD void* move_out(void* block, size_t bytes, const void* caller);
// What the program asked for; 0 for what is no live block.
size_t usable_size(const void* block);

}  // namespace mmt::guard
