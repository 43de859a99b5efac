#pragma once
// The growth rate decides how far ahead memory is made resident, for all threads that do so. That
// is as much as a heap that grows at this rate uses within some milliseconds, and never more than a
// share of the heap. A heap that grows slowly gains nothing by it, and may never come there.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <mmt/sys/clock.h>

namespace mmt::heap {

// A GrowthRate is one thread's.
class GrowthRate {
 public:
  // `windows`: so many milliseconds are looked ahead.
  explicit constexpr GrowthRate(size_t windows) : windows_(windows) {}

  // Bytes by which the heap has grown, in all.
  size_t grown() const { return grown_; }
  void add(size_t bytes) { grown_ += bytes; }

  // Takes note of the time, monotonic, in ns. True once a millisecond: the rate is known anew. It
  // is that of the last one, faded since.
  bool measure(uint64_t now) {
    const uint64_t elapsed = now - window_start_;
    if (elapsed < kWindowNs) return false;
    const size_t latest = (grown_ - before_) * kWindowNs / elapsed;
    a_window_ = std::max(latest, a_window_ / 2);
    window_start_ = now;
    before_ = grown_;
    return true;
  }
  // What it will use within so many milliseconds, in bytes.
  size_t within(size_t windows) const { return a_window_ * windows; }
  size_t soon() const { return within(windows_); }
  // How long that many bytes last, in ns.
  uint64_t time_for(size_t bytes) const {
    return a_window_ == 0 ? UINT64_MAX : bytes * kWindowNs / a_window_;
  }

  struct Bounds {
    size_t heap;       // its size in bytes
    size_t share;      // of it: one part in so many, at most
    size_t most;       // bytes at most
    size_t ready = 0;  // bytes that lie free and resident, and are used first
  };
  // As much of the next `use` bytes as is worth being resident ahead.
  static size_t lead(size_t use, const Bounds& bounds) {
    return std::min({use - std::min(use, bounds.ready), bounds.heap / bounds.share, bounds.most});
  }

 private:
  static constexpr uint64_t kWindowNs = sys::kNanosAMilli;

  size_t windows_;
  size_t grown_ = 0;
  size_t before_ = 0;    // grown_ as the window began
  size_t a_window_ = 0;  // bytes that it grows in one
  uint64_t window_start_ = 0;
};

}  // namespace mmt::heap
