#pragma once
// LargeBlocks treats large blocks of glibc's while there is room ahead in its heap. A large block
// gets a mapping of its own from glibc where the heap's end has no room for it. With room ahead
// that hardly ever happens. Most large blocks do as well in the heap. Blocks that grow by realloc
// do not: mremap grows mapped ones without a copy or a fault. Nor do blocks of calloc: mapped ones
// need not be cleared. Both kinds are seen here, as realloc and calloc pass through ours. They are
// mapped where glibc alone would have done so (mmap_threshold.h).
//
// Only glibc's public calls are used. A request that no heap's end has room for is mapped. It stays
// mapped when realloc cuts it to the size that is wanted. That is two system calls, once for each
// block.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "beside/mmap_threshold.h"

namespace mmt::beside {

class LargeBlocks {
 public:
  // As the library is loaded: what the user has set by the environment.
  void look_around();
  // For good: the program allows itself few system calls, and mremap need not be among them.
  void stop() { is_stopped_.store(true, std::memory_order_relaxed); }
  // A fork's child, whose parent's other threads may have been at it.
  void reset_in_child() { is_held_.store(false, std::memory_order_relaxed); }

  // Whether those below are to be asked about it.
  bool is_for(size_t bytes) const {
    return bytes >= MmapThreshold::kLeast && !is_stopped_.load(std::memory_order_relaxed);
  }

  // A thread that may call the library calls it. nullptr: it is to do it by itself, and errno is
  // kept. A request for `beyond` bytes fits into no heap.
  void* allocate_zeroed(size_t bytes, size_t beyond);
  // It grows by more than its usable size.
  void* grow(void* block, size_t bytes, size_t beyond);

 private:
  class Held;

  bool is_to_be_mapped(size_t bytes);
  void* map(size_t bytes, size_t beyond);
  void* grow_mapped(void* block, size_t bytes);
  size_t take(const void* block);

  std::atomic<bool> is_stopped_{false};  // relaxed: set before what it is for
  std::atomic<bool> is_held_{false};     // acquire and release: what the last one did is seen
  MmapThreshold threshold_;
};

}  // namespace mmt::beside
