#pragma once
// A TouchedShare tells whether a program uses what it asks for. A heap may grow by blocks that are
// hardly touched, as buffers, stacks of coroutines or sparse tables. Memory made ready for those
// would only be lost. So single fresh pages of each kind are left alone. They are looked at when
// the blocks there have been handed out for a while. The share is a pure decision by those looks. 0
// bits packed mean that nothing is known.
#include <bit>
#include <cstdint>

namespace mmt::heap {

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
  // A kind is dense where all but an eighth of the latest pages were touched, and all but one of
  // the newest. The newest count too, since what is dense may become sparse. To prepare a dense
  // kind saves more than is lost.
  constexpr bool is_dense() const {
    const auto touched = static_cast<uint32_t>(std::popcount(latest_));
    const auto newest = std::popcount(latest_ & ((1u << kNewest) - 1));
    return is_known() && (seen_ - touched) * 8 <= seen_ && newest + 1 >= kNewest;
  }

  constexpr uint32_t pack() const { return uint32_t{seen_} << 16 | latest_; }
  static constexpr TouchedShare unpack(uint32_t word) {
    TouchedShare share;
    share.latest_ = static_cast<uint16_t>(word);
    share.seen_ = static_cast<uint16_t>(word >> 16);
    return share;
  }

 private:
  static constexpr int kNewest = 4;

  uint16_t latest_ = 0;  // a bit for each look, the newest lowest
  uint16_t seen_ = 0;
};

}  // namespace mmt::heap
