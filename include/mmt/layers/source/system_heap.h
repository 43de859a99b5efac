// This top heap has memory that grows at its end. The memory is the program break's. If the break
// cannot move, as something lies above it or others moved it too often, mappings above it
// (StretchHeap) serve from then on. The terms are those of the two. The heap is for one thread,
// beside nobody who moves the break.
#pragma once

#include <errno.h>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/sbrk_heap.h>
#include <mmt/layers/source/stretch_heap.h>

namespace mmt::layers {

class SystemHeap {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = true;

  void* malloc(size_t bytes) {
    const int kept = errno;
    if (MMT_LIKELY(!is_blocked_)) {
      if (void* const block = break_.malloc(bytes)) return block;
      errno = kept;
    }
    void* const block = stretches_.malloc(bytes);
    if (block != nullptr) is_blocked_ = true;
    return block;
  }
  void free(void*) {}

  bool shrink(size_t bytes) {
    return is_blocked_ ? stretches_.shrink(bytes) : break_.shrink(bytes);
  }
  bool owns(const void* address) const { return break_.owns(address) || stretches_.owns(address); }

 private:
  bool is_blocked_ = false;
  SbrkHeap break_;
  StretchHeap<size_t{1} << 30> stretches_;  // the program may move its break yet
};

}  // namespace mmt::layers
