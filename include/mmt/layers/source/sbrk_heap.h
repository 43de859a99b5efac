// Top heap: the program break. Blocks lie one after the other as long as nobody else moves it. What
// is freed stays; the end of the heap gives back what lies behind the break of before, if the break
// is still this heap's. After kMostStrangers moves by others it gives out nothing more.
// Others' use of the break at the same time needs a lock of theirs and ours: one thread.
#pragma once

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/core/kept_errno.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/system_pages.h>

namespace mmt::layers {

template <class Pages = SystemPages>
class BasicSbrkHeap {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = true;
  static constexpr size_t kMostStrangers = 32;

  BasicSbrkHeap() = default;
  BasicSbrkHeap(const BasicSbrkHeap&) = delete;
  BasicSbrkHeap& operator=(const BasicSbrkHeap&) = delete;
  ~BasicSbrkHeap() {
    if (end_ != nullptr && Pages::program_break() == end_) Pages::set_break(stretch_);
  }

  void* malloc(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    const size_t needed = core::align_up(bytes == 0 ? 1 : bytes, kAlignment);
    char* const now = Pages::program_break();
    const size_t gap = (0 - reinterpret_cast<uintptr_t>(now)) & (kAlignment - 1);
    const bool is_first = end_ == nullptr;
    if (!is_first && now != end_ && strangers_ == kMostStrangers) return nullptr;
    if (Pages::raise_break(gap + needed) != now) return nullptr;
    if (is_first) stretch_ = now;
    if (!is_first && now != end_) {
      earlier_[strangers_++] = {stretch_, end_};
      stretch_ = now;
    }
    end_ = now + gap + needed;
    return now + gap;
  }
  void free(void*) {}

  // Gives the topmost bytes, a multiple of the alignment, back to the system. False, and nothing
  // has changed: a stranger has moved the break, or this stretch has not so many.
  bool shrink(size_t bytes) {
    if (end_ == nullptr || bytes > static_cast<size_t>(end_ - stretch_)) return false;
    const core::KeptErrno kept_errno;
    if (Pages::program_break() != end_ || !Pages::set_break(end_ - bytes)) return false;
    end_ -= bytes;
    return true;
  }

  bool owns(const void* address) const {
    if (MMT_LIKELY(address >= stretch_ && address < end_)) return true;
    return strangers_ != 0 && is_in_earlier_stretch(address);
  }

 private:
  struct Stretch {
    char* begin;
    char* end;
  };

  bool is_in_earlier_stretch(const void* address) const {
    for (size_t i = 0; i < strangers_; ++i) {
      if (address >= earlier_[i].begin && address < earlier_[i].end) return true;
    }
    return false;
  }

  char* stretch_ = nullptr;  // where the last one without a stranger in it begins
  char* end_ = nullptr;
  size_t strangers_ = 0;
  Stretch earlier_[kMostStrangers] = {};
};

using SbrkHeap = BasicSbrkHeap<>;

}  // namespace mmt::layers
