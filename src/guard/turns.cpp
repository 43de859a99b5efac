#include "guard/turns.h"

#include <algorithm>
#include <atomic>

namespace mmt::guard {
namespace {

// Before a rate is set.
constexpr int32_t kUntilLater = 64;
constexpr uint8_t kMostThinning = 10;

// 0: none yet. Relaxed: it is set once, as the library is loaded.
constinit std::atomic<uint64_t> rate{0};
// Relaxed: a number by which nothing else is found.
constinit std::atomic<uint64_t> state{0};

}  // namespace

__thread Turns turns{};

// SplitMix64.
uint64_t some_bits() {
  constexpr uint64_t kStep = 0x9E3779B97F4A7C15;
  uint64_t bits = state.fetch_add(kStep, std::memory_order_relaxed);
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

void set_rate(uint64_t one_in, uint64_t seed) {
  state.store(seed, std::memory_order_relaxed);
  rate.store(one_in, std::memory_order_relaxed);
}

// The mean of 1 to 2 * rate - 1 is the rate.
bool draw() {
  const uint64_t one_in = rate.load(std::memory_order_relaxed);
  if (one_in == 0) {
    turns.left = kUntilLater;
    return false;
  }
  const bool is_due = turns.is_drawn;
  turns.is_drawn = true;
  const uint64_t count = some_bits() % (2 * one_in - 1) << turns.thinning;
  turns.left = static_cast<int32_t>(std::min<uint64_t>(count, INT32_MAX));
  return is_due;
}

void change_thinning(bool is_shorter) {
  if (is_shorter && turns.thinning > 0) --turns.thinning;
  if (!is_shorter && turns.thinning < kMostThinning) ++turns.thinning;
}

}  // namespace mmt::guard
