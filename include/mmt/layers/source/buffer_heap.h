// Top heap: kBytes within the heap object itself, for memory that is reserved beforehand. Blocks
// lie one after the other; the last one can be freed and can grow. One thread may use it.
#pragma once

#include <mmt/core/checked.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <size_t kBytes>
class BufferHeap {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;

  BufferHeap() = default;
  BufferHeap(const BufferHeap&) = delete;
  BufferHeap& operator=(const BufferHeap&) = delete;

  void* malloc(size_t bytes) {
    if (bytes > kBytes) return nullptr;
    const size_t needed = core::align_up(bytes == 0 ? 1 : bytes, kAlignment);
    if (needed > kBytes - used_) return nullptr;
    last_ = used_;
    used_ += needed;
    return buffer_ + last_;
  }
  void free(void* block) {
    if (block == buffer_ + last_) used_ = last_;
  }
  void clear() { used_ = last_ = 0; }
  bool owns(const void* address) const { return address >= buffer_ && address < buffer_ + kBytes; }
  bool expand(void* block, size_t bytes) {
    if (block != buffer_ + last_ || bytes > kBytes) return false;
    const size_t needed = core::align_up(bytes, kAlignment);
    if (needed > kBytes - last_) return false;
    if (last_ + needed > used_) used_ = last_ + needed;
    return true;
  }

 private:
  alignas(kAlignment) char buffer_[kBytes];
  size_t used_ = 0;
  size_t last_ = 0;  // where the last block begins
};

}  // namespace mmt::layers
