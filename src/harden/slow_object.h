#pragma once
// These do what the fast paths of object.h leave. That is any size and any setting, blocks with
// mappings of their own, and whatever the program passes that is no block. Any thread may call
// them, in any context. Null results mean that no memory can be had, or that the call was wrong and
// has been reported.
#include <cstddef>

#include "harden/object.h"

namespace mmt::harden {

void* allocate_slow(size_t bytes, Call call);
// `alignment` is a power of two.
void* allocate_aligned(size_t bytes, size_t alignment, Call call);
void* allocate_zeroed(size_t bytes, Call call);
// What is wrong is reported, and the block, if it is one, stays as it is.
void deallocate_slow(void* block, Call call);
// A block's new place. nullptr: it is as it was.
void* reallocate(void* block, size_t bytes, Call call);
// What the program asked for; 0 for what is no live block, which is reported.
size_t usable_size(const void* block, Call call);

}  // namespace mmt::harden
