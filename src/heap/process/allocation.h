#pragma once
// The heap's operations with the meaning of malloc(3), but for errno, which the callers set.
// Any thread, any context: before constructors, after destructors, in signal handlers.
// Null results mean that no memory can be had.
#include <cstddef>

#include "heap/object/fast_path.h"
#include "heap/object/heap.h"
#include "heap/object/thread_state.h"

namespace mmt::heap {

// It takes any size, without the fast path.
void* allocate_slow(Heap& heap, size_t bytes);
// `alignment` is a power of two.
void* allocate_aligned(Heap& heap, size_t bytes, size_t alignment);
void* allocate_zeroed(Heap& heap, size_t bytes);
// It goes without the fast path. False, and nothing done: `block` does not lie in this heap.
bool deallocate_slow(Heap& heap, void* block);
// True when `block` lies in this heap (not: whether it is live).
bool owns(Heap& heap, const void* block);
// Bytes that may be used of an owned block; 0 for one that is not live.
size_t usable_size(Heap& heap, const void* block);
// An owned block's new place; nullptr leaves the block as it was.
void* reallocate(Heap& heap, void* block, size_t bytes);
// Class of a block's slot, or one of the region's codes; kForeign outside the region.
uint8_t code_of(Heap& heap, const void* block);
// Gives back to the OS what is free, caches of the calling thread included.
bool trim(Heap& heap);

// The fast paths with a policy, where they are shut for the others' sake (keep_to_slow_paths): by
// the thread's own caches. What comes from a slow path is shown to the policy, too.
template <class Checks>
void* allocate_checked(Heap& heap, size_t bytes) {
  const auto slow = [&heap, bytes] {
    void* const block = allocate_slow(heap, bytes);
    if (block != nullptr) Checks::taken(block, code_of(heap, block));
    return block;
  };
  if (bytes > store::kMaxSmallSize) return slow();
  return pop_cached<Checks>(own_fast_part(), store::stepped_class(bytes), slow);
}
// False, and nothing done: `block` does not lie in this heap.
template <class Checks>
bool deallocate_checked(Heap& heap, void* block) {
  const store::Region& region = heap.depot.region();
  const size_t c =
      region.contains(block) ? region.class_of(region.slot_index(block)) : store::kForeign;
  bool is_ours = true;
  push_cached<Checks>(own_fast_part(), c, block, [&] { is_ours = deallocate_slow(heap, block); });
  return is_ours;
}

inline void* allocate(Heap& heap, size_t bytes) {
  return allocate_or(bytes, [&heap](size_t other) { return allocate_slow(heap, other); });
}
inline void deallocate(Heap& heap, void* block) {
  deallocate_or(heap.depot.region(), block, [&heap](void* other) { deallocate_slow(heap, other); });
}

}  // namespace mmt::heap
