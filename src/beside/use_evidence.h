#pragma once
// Whether the program uses what it allocates. Single pages are left out of what is prepared, and
// looked at when the program is well past them: heap/object/touched_share.h says what they tell.
#include <array>
#include <cstddef>
#include <cstdint>

#include "heap/object/touched_share.h"

namespace mmt::beside {

class UseEvidence {
 public:
  // Not on trust: first it has to be seen.
  bool is_dense() const { return share_.is_dense(); }

  // A page that is left out; where there is no room for it, nothing is learnt from it.
  void watch(uintptr_t page) {
    if (count_ < left_out_.size()) left_out_[count_++] = page;
  }
  // The program has come to `frontier`: is_touched(page) for each page far enough behind it.
  template <class IsTouched>
  void look(uintptr_t frontier, IsTouched&& is_touched) {
    size_t kept = 0;
    for (size_t i = 0; i < count_; ++i) {
      if (frontier < left_out_[i] + kBehind) {
        left_out_[kept++] = left_out_[i];
      } else {
        share_.note(is_touched(left_out_[i]));
      }
    }
    count_ = kept;
  }
  // The pages that are watched are no longer the heap's.
  void forget_pages() { count_ = 0; }

 private:
  // A library gives the blocks of several sizes from pieces of their own, side by side.
  static constexpr uintptr_t kBehind = uintptr_t{1} << 20;

  heap::TouchedShare share_;
  size_t count_ = 0;
  std::array<uintptr_t, 128> left_out_{};
};

}  // namespace mmt::beside
