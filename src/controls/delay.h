#pragma once
// An observer (layers/observe/observed_heap.h) that takes its time: each block that is given, taken
// back or grown costs as many nanoseconds more as set() says. It spins on the time stamp counter,
// whose reading comes on top: some 10 to 20 ns a call. Until set() was called it costs a branch.
#include <cstdint>
#include <ctime>

#include <mmt/core/compiler.h>

namespace mmt::controls {

// Ticks a nanosecond, measured for 2 ms: precise enough for a delay, short enough for each start.
inline double ticks_per_ns() {
  constexpr double kMeasuredNs = 2e6;
  const auto now_ns = [] {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
  };
  const double start = now_ns();
  const uint64_t from = core::ticks_before();
  double passed = 0;
  while (passed < kMeasuredNs) passed = now_ns() - start;
  return static_cast<double>(core::ticks_before() - from) / passed;
}

// As thread-safe as the heap that it stands in; set() before there is a second thread.
class Delay {
 public:
  static constexpr bool kWantsSizes = false;

  void set(uint64_t nanoseconds) {
    ticks_ = nanoseconds == 0
                 ? 0
                 : static_cast<uint64_t>(static_cast<double>(nanoseconds) * ticks_per_ns());
  }

  void gave(void*, size_t, size_t, size_t) { pass_time(); }
  void refused(size_t, size_t) {}
  void takes(void*, size_t, size_t) { pass_time(); }
  void grew(void*, size_t, size_t, size_t) { pass_time(); }
  void cleared() {}

 private:
  void pass_time() const {
    if (ticks_ == 0) return;
    const uint64_t start = core::ticks_before();
    while (core::ticks_before() - start < ticks_) {
    }
  }

  uint64_t ticks_ = 0;
};

}  // namespace mmt::controls
