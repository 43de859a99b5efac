// Top heap: the program break. Blocks lie one after the other as long as nobody else moves it. What
// is freed stays; the end of the heap gives back what lies behind the break of before, if the break
// is still this heap's. After kMostStrangers moves by others it gives out nothing more.
// Others' use of the break at the same time needs a lock of theirs and ours: one thread.
#pragma once

#include <unistd.h>

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

class SbrkHeap {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = true;
  static constexpr size_t kMostStrangers = 32;

  SbrkHeap() = default;
  SbrkHeap(const SbrkHeap&) = delete;
  SbrkHeap& operator=(const SbrkHeap&) = delete;
  ~SbrkHeap() {
    if (end_ != nullptr && ::sbrk(0) == end_) ::brk(last_stretch());
  }

  void* malloc(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    const size_t needed = core::align_up(bytes == 0 ? 1 : bytes, kAlignment);
    auto* const now = static_cast<char*>(::sbrk(0));
    const size_t gap = (0 - reinterpret_cast<uintptr_t>(now)) & (kAlignment - 1);
    const bool is_first = end_ == nullptr;
    if (!is_first && now != end_ && strangers_ == kMostStrangers) return nullptr;
    if (::sbrk(static_cast<intptr_t>(gap + needed)) != now) return nullptr;
    if (is_first) begin_ = now;
    if (!is_first && now != end_) gaps_[strangers_++] = {end_, now};
    end_ = now + gap + needed;
    return now + gap;
  }
  void free(void*) {}

  // Gives the topmost bytes, a multiple of the alignment, back to the system.
  bool shrink(size_t bytes) {
    if (end_ == nullptr || bytes > static_cast<size_t>(end_ - last_stretch())) return false;
    if (::sbrk(0) != end_ || ::brk(end_ - bytes) != 0) return false;
    end_ -= bytes;
    return true;
  }

  bool owns(const void* address) const {
    if (address < begin_ || address >= end_) return false;
    return MMT_LIKELY(strangers_ == 0) || !is_strange(address);
  }

 private:
  struct Gap {
    char* begin;
    char* end;
  };

  char* last_stretch() const { return strangers_ == 0 ? begin_ : gaps_[strangers_ - 1].end; }
  bool is_strange(const void* address) const {
    for (size_t i = 0; i < strangers_; ++i) {
      if (address >= gaps_[i].begin && address < gaps_[i].end) return true;
    }
    return false;
  }

  char* begin_ = nullptr;
  char* end_ = nullptr;
  size_t strangers_ = 0;
  Gap gaps_[kMostStrangers] = {};  // what others took in between
};

}  // namespace mmt::layers
