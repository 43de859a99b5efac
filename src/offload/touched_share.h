#pragma once
// Whether a program uses what it asks for. A heap may grow by blocks that are hardly touched, as
// buffers, stacks of coroutines or sparse tables: memory made ready for those would only be lost.
// So single fresh pages of each kind are left alone, and looked at when the blocks there have been
// handed out for a while. A pure decision by those looks; 0 bits packed: nothing is known.
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/sys/pages.h>

namespace mmt::offload {

class TouchedShare {
 public:
  // Fewer looks tell nothing; more than the most of them are too long ago.
  static constexpr uint32_t kLeast = 8;
  static constexpr uint32_t kMost = 16;

  constexpr void note(bool touched) {
    latest_ = static_cast<uint16_t>(latest_ << 1 | (touched ? 1 : 0));
    if (seen_ < kMost) ++seen_;
  }

  constexpr bool is_known() const { return seen_ >= kLeast; }
  // All but an eighth of the latest pages were touched: to prepare them saves more than is lost.
  constexpr bool is_dense() const {
    const auto touched = static_cast<uint32_t>(std::popcount(latest_));
    return is_known() && (seen_ - touched) * 8 <= seen_;
  }

  constexpr uint32_t pack() const { return uint32_t{seen_} << 16 | latest_; }
  static constexpr TouchedShare unpack(uint32_t word) {
    TouchedShare share;
    share.latest_ = static_cast<uint16_t>(word);
    share.seen_ = static_cast<uint16_t>(word >> 16);
    return share;
  }

 private:
  uint16_t latest_ = 0;  // a bit for each look, the newest lowest
  uint16_t seen_ = 0;
};

// In a huge page nothing can be seen, so one in so many huge pages' places gets small ones.
inline constexpr uintptr_t kHugeInARow = 16;
constexpr bool is_for_small_steps(uintptr_t address) {
  return address / sys::kHugePageSize % kHugeInARow == 0;
}

}  // namespace mmt::offload
