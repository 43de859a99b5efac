// What an application says when it is done: whether its own check holds, and its counts.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.h"

namespace mmt::workloads::stm {

// The middle ones are ours: a second or so on a processor of 2024. The short ones have a third of
// that to do, or half. The low ones have less contention, where an application has such inputs.
enum class Size { kSmall, kShort, kMiddle, kNative, kSmallLow, kShortLow, kMiddleLow, kNativeLow };
constexpr bool is_low(Size size) { return size >= Size::kSmallLow; }

template <class T>
constexpr T by_size(Size size, T small, T short_one, T middle, T native) {
  switch (size) {
    case Size::kSmall:
    case Size::kSmallLow:
      return small;
    case Size::kShort:
    case Size::kShortLow:
      return short_one;
    case Size::kMiddle:
    case Size::kMiddleLow:
      return middle;
    case Size::kNative:
    case Size::kNativeLow:
      break;
  }
  return native;
}

struct Result {
  bool right = false;
  double seconds = 0;  // of the parallel phase
  std::vector<std::pair<std::string, uint64_t>> numbers;
};

// The generator of all inputs.
class Random {
 public:
  explicit Random(uint32_t seed) : generator_(seed) {}
  uint64_t next() { return generator_(); }
  uint64_t below(uint64_t bound) { return generator_() % bound; }
  // In [0, 1).
  double fraction() { return static_cast<double>(generator_()) / 4294967296.0; }

 private:
  std::mt19937 generator_;
};

}  // namespace mmt::workloads::stm
