#pragma once
// SpinBudget tells how long a thread may spin: some times as long as what it does meanwhile takes.
// A thread that finds little to do would take more from the program than it gives. It shares a
// core's units and the processor's power with the program.
#include <algorithm>
#include <cstdint>

#include <mmt/sys/clock.h>

namespace mmt::beside {

class SpinBudget {
 public:
  // So many ns of work were done.
  void worked(uint64_t ns) { left_ = std::min(left_ + kTimes * ns, kMostNs); }
  // So many ns were spun.
  void spun(uint64_t ns) { left_ -= std::min(left_, ns); }
  bool is_left() const { return left_ != 0; }

 private:
  static constexpr uint64_t kTimes = 4;
  static constexpr uint64_t kMostNs = 2 * sys::kNanosAMilli;

  uint64_t left_ = kMostNs;
};

}  // namespace mmt::beside
