// xorshift64*: a generator of one word, so that random numbers cost the workload next to nothing.
#pragma once

#include <bit>
#include <cstdint>

namespace mmt::workloads {

class Rng {
 public:
  // Any seed will do; 0 is replaced.
  explicit constexpr Rng(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u) {
    if (state_ == 0) state_ = 1;
  }

  constexpr uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Du;
  }

  // Uniform in [0, bound), bound below 2^32.
  constexpr uint64_t below(uint64_t bound) { return ((next() >> 32) * bound) >> 32; }

  // Uniform in [low, high].
  constexpr uint64_t between(uint64_t low, uint64_t high) { return low + below(high - low + 1); }

  // A size in [low, high], about as often in each power of two as in the next. `low` and `high`
  // are powers of two.
  constexpr uint64_t log_uniform(uint64_t low, uint64_t high) {
    if (low == high) return low;
    unsigned octaves = static_cast<unsigned>(std::countr_zero(high) - std::countr_zero(low));
    uint64_t base = low << below(octaves);
    return base + below(base) + 1;
  }

 private:
  uint64_t state_;
};

}  // namespace mmt::workloads
