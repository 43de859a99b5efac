// Top heap: the process's malloc. Any thread may call it.
#pragma once

#include <malloc.h>

#include <cstdlib>

#include <mmt/layers/heap.h>

namespace mmt::layers {

class MallocHeap {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kSharedSizes = true;

  void* malloc(size_t bytes) { return bytes > kMaxRequest ? nullptr : ::malloc(bytes); }
  void free(void* block) { ::free(block); }
  size_t get_size(const void* block) const {
    return ::malloc_usable_size(const_cast<void*>(block));
  }

  Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return {};
    if (alignment <= kAlignment) alignment = kAlignment;
    void* block = nullptr;
    if (::posix_memalign(&block, alignment, bytes) != 0) return {};
    return {block, get_size(block)};
  }
};

}  // namespace mmt::layers
