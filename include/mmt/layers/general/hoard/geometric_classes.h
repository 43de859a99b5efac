// Size classes are multiples of 16 bytes up to 128. Above that, each doubling has four, in steps of
// at most a quarter. The last class is kMost itself, a multiple of 16 (see combine/size_classes.h).
#pragma once

#include <bit>
#include <cstddef>

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <size_t kMost>
struct GeometricClasses {
  static_assert(kMost % kBlockAlignment == 0 && kMost >= 2 * kBlockAlignment,
                "GeometricClasses: kMost is no size that a block may have");
  static constexpr size_t kLargest = kMost;

  static constexpr size_t of(size_t bytes) {
    const size_t last = bytes == 0 ? 0 : bytes - 1;
    if (last < kLinear) return last / kBlockAlignment;
    const auto width = static_cast<unsigned>(std::bit_width(last));
    return kSteps * (width - kWidth) + (last >> (width - kStepBits - 1)) + kSteps;
  }
  static constexpr size_t floor_of(size_t bytes) {
    if (bytes >= kMost) return kCount - 1;
    const size_t c = of(bytes);
    return size(c) == bytes ? c : c - 1;
  }
  static constexpr size_t size(size_t c) {
    if (c < 2 * kSteps) return (c + 1) * kBlockAlignment;
    const size_t step = c - 2 * kSteps;
    const size_t size = (kSteps + step % kSteps + 1) << (step / kSteps + kWidth - kStepBits - 1);
    return size < kMost ? size : kMost;
  }

 private:
  static constexpr unsigned kStepBits = 2;
  static constexpr size_t kSteps = size_t{1} << kStepBits;
  static constexpr size_t kLinear = 2 * kSteps * kBlockAlignment;
  // This is the width of the least number that is not below kLinear.
  static constexpr unsigned kWidth = static_cast<unsigned>(std::bit_width(kLinear));

 public:
  static constexpr size_t kCount = of(kMost) + 1;
};

}  // namespace mmt::layers
