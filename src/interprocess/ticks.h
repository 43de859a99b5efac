#pragma once
// What one tick of the counter that stands around single calls is worth.
#include <cstdint>
#include <ctime>

#include <mmt/core/compiler.h>

namespace mmt::latency {

struct Measured {
  uint64_t ticks;
  uint64_t ns;
};

// So many ticks took so long by the monotonic clock, which was at least what is asked for.
inline Measured measure_ticks(uint64_t least_ns) {
  const auto now_ns = [] {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1'000'000'000 * static_cast<uint64_t>(now.tv_sec) + static_cast<uint64_t>(now.tv_nsec);
  };
  const uint64_t start = now_ns();
  const uint64_t from = core::ticks_before();
  uint64_t passed = 0;
  while (passed < least_ns) passed = now_ns() - start;
  return {core::ticks_after() - from, passed};
}

// A nanosecond has so many ticks.
inline double ticks_per_ns() {
  const Measured measured = measure_ticks(50'000'000);
  return static_cast<double>(measured.ticks) / static_cast<double>(measured.ns);
}

}  // namespace mmt::latency
