#pragma once
// An observer (layers/observe/observed_heap.h) that takes its time: each block that is given, taken
// back or grown costs as many nanoseconds more as set() says. It spins on the time stamp counter,
// whose reading comes on top: some 10 to 20 ns a call. Until set() was called it costs a branch.
#include <cstdint>

#include <mmt/core/compiler.h>

#include "interprocess/ticks.h"

namespace mmt::heaps {

// As thread-safe as the heap that it stands in; set() before there is a second thread.
class Delay {
 public:
  static constexpr bool kWantsSizes = false;

  void set(uint64_t nanoseconds) {
    ticks_ = 0;
    if (nanoseconds == 0) return;
    const latency::Measured measured = latency::measure_ticks(kMeasuredNs);
    ticks_ = nanoseconds * measured.ticks / measured.ns;
  }

  void gave(void*, size_t, size_t, size_t) { pass_time(); }
  void refused(size_t, size_t) {}
  void takes(void*, size_t, size_t) { pass_time(); }
  void grew(void*, size_t, size_t, size_t) { pass_time(); }
  void cleared() {}

 private:
  static constexpr uint64_t kMeasuredNs =
      2'000'000;  // precise enough, and short enough for each start

  void pass_time() const {
    if (ticks_ == 0) return;
    const uint64_t start = core::ticks_before();
    while (core::ticks_before() - start < ticks_) {
    }
  }

  uint64_t ticks_ = 0;
};

}  // namespace mmt::heaps
