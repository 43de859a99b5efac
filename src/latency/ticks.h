#pragma once
// What one tick of the counter that stands around single calls is worth.
#include <cstdint>
#include <ctime>

#include <mmt/core/compiler.h>

namespace mmt::latency {

// Ticks a nanosecond, measured against the monotonic clock for so long.
inline double ticks_per_ns(double measured_ns = 50e6) {
  const auto now_ns = [] {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
  };
  const double start = now_ns();
  const uint64_t from = core::ticks_before();
  double passed = 0;
  while (passed < measured_ns) passed = now_ns() - start;
  return static_cast<double>(core::ticks_after() - from) / passed;
}

}  // namespace mmt::latency
