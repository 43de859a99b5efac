#pragma once
// How fast a heap grows, and so how much of what lies ahead is worth being prepared: what the next
// milliseconds will use, and never more than a share of the heap. A heap that grows slowly gains
// nothing by it, and may never come there.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <mmt/sys/clock.h>

namespace mmt::agnostic {

class GrowthRate {
 public:
  // Bytes by which the heap has grown, in all.
  size_t grown() const { return grown_; }
  void add(size_t bytes) { grown_ += bytes; }

  // Takes note of the time, monotonic, in ns.
  void measure(uint64_t now) {
    const uint64_t elapsed = now - window_start_;
    if (elapsed < kWindowNs) return;
    const size_t latest = (grown_ - before_) * kWindowNs / elapsed;
    a_window_ = std::max(latest, a_window_ / 2);
    window_start_ = now;
    before_ = grown_;
  }
  // What the next milliseconds will use, in bytes.
  size_t soon() const { return a_window_ * kWindowsAhead; }
  // As much of it as is worth being prepared: at most a `share`-th of what the heap has grown by,
  // and at most so much.
  size_t lead(size_t share, size_t most) const { return std::min({soon(), grown_ / share, most}); }
  // How long that many bytes last, in ns.
  uint64_t time_for(size_t bytes) const {
    return a_window_ == 0 ? UINT64_MAX : bytes * kWindowNs / a_window_;
  }

 private:
  static constexpr uint64_t kWindowNs = sys::kNanosAMilli;
  static constexpr size_t kWindowsAhead = 4;

  size_t grown_ = 0;
  size_t before_ = 0;    // grown_ as the window began
  size_t a_window_ = 0;  // bytes that it grows in one
  uint64_t window_start_ = 0;
};

}  // namespace mmt::agnostic
