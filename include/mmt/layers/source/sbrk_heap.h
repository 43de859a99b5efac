// Top heap: the program break. Blocks lie one after the other as long as nobody else moves it. What
// is freed stays; the end of the heap gives back what lies behind the break of before, if the break
// is still this heap's.
// Others' use of the break at the same time needs a lock of theirs and ours: one thread.
#pragma once

#include <unistd.h>

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

class SbrkHeap {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = true;

  SbrkHeap() = default;
  SbrkHeap(const SbrkHeap&) = delete;
  SbrkHeap& operator=(const SbrkHeap&) = delete;
  ~SbrkHeap() {
    if (begin_ != nullptr && ::sbrk(0) == end_) ::brk(begin_);
  }

  void* malloc(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    const size_t needed = core::align_up(bytes == 0 ? 1 : bytes, kAlignment);
    auto* const now = static_cast<char*>(::sbrk(0));
    const size_t gap = (0 - reinterpret_cast<uintptr_t>(now)) & (kAlignment - 1);
    if (::sbrk(static_cast<intptr_t>(gap + needed)) != now) return nullptr;
    // Somebody else moved the break: what lies below is not ours alone to give back.
    if (now != end_) begin_ = now;
    end_ = now + gap + needed;
    return now + gap;
  }
  void free(void*) {}

 private:
  char* begin_ = nullptr;  // of the last stretch without a stranger in it
  char* end_ = nullptr;
};

}  // namespace mmt::layers
