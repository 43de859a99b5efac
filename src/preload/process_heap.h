#pragma once
// The process's heap behind the names of libmmt.so. The hardened library has another (src/harden).
#include <cstddef>

#include "heap/object/fast_path.h"
#include "heap/process/allocation.h"
#include "heap/process/block_run.h"
#include "heap/process/process_heap.h"
#include "names/process_heap.h"
#include "preload/whole_heap.h"

namespace mmt::names {

struct ProcessHeap : preload::WholeHeap {
  static constexpr bool kIsClosedAtFirst = true;  // by fast_sizes, and a region that has no block

  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
    return heap::allocate_or(bytes, slow);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow) {
    heap::deallocate_or(heap::process_heap.depot.region(), block, slow);
  }
  static void* allocate_slow(size_t bytes) {
    return heap::allocate_slow(heap::process_heap, bytes);
  }
  static bool deallocate_slow(void* block) {
    return heap::deallocate_slow(heap::process_heap, block);
  }
  template <class Checks>
  static void* allocate_checked(size_t bytes) {
    return heap::allocate_checked<Checks>(heap::process_heap, bytes);
  }
  template <class Checks>
  static bool deallocate_checked(void* block) {
    return heap::deallocate_checked<Checks>(heap::process_heap, block);
  }
  static void* allocate_aligned(size_t bytes, size_t alignment) {
    return heap::allocate_aligned(heap::process_heap, bytes, alignment);
  }
  static void* allocate_zeroed(size_t bytes) {
    return heap::allocate_zeroed(heap::process_heap, bytes);
  }
  static void* reallocate(void* block, size_t bytes) {
    return heap::reallocate(heap::process_heap, block, bytes);
  }
  static size_t usable_size(const void* block) {
    return heap::usable_size(heap::process_heap, block);
  }
  static bool owns(const void* block) { return heap::owns(heap::process_heap, block); }
  static size_t deallocate_run(void* const* blocks, size_t count) {
    return heap::deallocate_run(heap::process_heap, blocks, count);
  }
  // As the library is loaded.
  static void begin() {}
};

}  // namespace mmt::names
