// Top heap: nothing. Every request is refused, and what is freed is dropped: the end of a chain
// that holds only what it was given. Any thread may call it.
#pragma once

#include <mmt/layers/heap.h>

namespace mmt::layers {

class NullHeap {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;

  void* malloc(size_t) { return nullptr; }
  void free(void*) {}
  void clear() {}
  bool owns(const void*) const { return false; }
};

}  // namespace mmt::layers
