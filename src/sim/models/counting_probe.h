// The simulator's probe: what a policy did in the operation under way.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/layers/fit/probe.h>

#include "sim/metrics/touches.h"

namespace mmt::sim {

// One operation's work.
struct Work {
  uint64_t visits = 0;
  uint64_t rebalanced = 0;
  uint64_t neighbours = 0;  // that were joined
  uint64_t splits = 0;
  uint64_t growths = 0;
};

class CountingProbe {
 public:
  void visited(size_t n = 1) { work_.visits += n; }
  void rebalanced(size_t n = 1) { work_.rebalanced += n; }
  void coalesced(size_t n) { work_.neighbours += n; }
  void split() { ++work_.splits; }
  void grew(size_t) { ++work_.growths; }
  void touched(size_t at, size_t bytes) const {
    if (touches_ != nullptr) touches_->touched(at, bytes);
  }

  void begin() { work_ = {}; }
  const Work& work() const { return work_; }
  // nullptr: lines and pages are not counted.
  void count_touches(Touches* touches) { touches_ = touches; }
  // True where it counts those of each operation, for which lists are walked.
  bool counts_touches() const { return touches_ != nullptr && touches_->is_of_each_operation(); }

 private:
  Work work_;
  Touches* touches_ = nullptr;
};
static_assert(layers::fit::FitProbe<CountingProbe>);

}  // namespace mmt::sim
