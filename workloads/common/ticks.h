// A counter cheap enough to stand around every single call, and what one of its ticks is worth.
#pragma once

#include <cstdint>

#include "common/clock.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace mmt::workloads {

#if defined(__x86_64__)
// Not before everything earlier is done.
inline uint64_t ticks_before() {
  _mm_lfence();
  return __rdtsc();
}
// Not before everything that was timed is done.
inline uint64_t ticks_after() {
  unsigned cpu;
  return __rdtscp(&cpu);
}
#else
inline uint64_t ticks_before() { return static_cast<uint64_t>(1e9 * wall_seconds()); }
inline uint64_t ticks_after() { return ticks_before(); }
#endif

// Ticks a nanosecond, measured against the monotonic clock for 50 ms.
inline double ticks_per_ns() {
  double start = wall_seconds();
  uint64_t from = ticks_before();
  double passed;
  do {
    passed = wall_seconds() - start;
  } while (passed < 0.05);
  return static_cast<double>(ticks_after() - from) / (1e9 * passed);
}

}  // namespace mmt::workloads
