#pragma once
// Whether the program uses what it allocates. A heap may grow by blocks that are hardly touched, as
// stacks of coroutines or sparse tables: memory made ready for those would only be lost. So single
// pages are left out of what is prepared, and looked at when the program is well past them.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace mmt::agnostic {

class UseEvidence {
 public:
  // Most of the latest pages were touched. So it is taken to be at first.
  bool is_dense() const { return std::popcount(latest_) >= kPages / 2; }

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
        latest_ = static_cast<uint16_t>(latest_ << 1 | (is_touched(left_out_[i]) ? 1 : 0));
      }
    }
    count_ = kept;
  }
  // The pages that are watched are no longer the heap's.
  void forget_pages() { count_ = 0; }

 private:
  static constexpr int kPages = 16;
  // A library gives the blocks of several sizes from pieces of their own, side by side.
  static constexpr uintptr_t kBehind = uintptr_t{1} << 20;

  uint16_t latest_ = UINT16_MAX;  // a bit for each page, the newest lowest
  size_t count_ = 0;
  std::array<uintptr_t, 128> left_out_{};
};

}  // namespace mmt::agnostic
