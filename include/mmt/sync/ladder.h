// Decides when an idle server spins, naps or parks. It is a pure decision by the time since the
// last work, so that it can be tested with any clock. Spinning answers in well under a microsecond
// but burns the CPU (and a cgroup's quota). Naps double in length up to max_nap_ns. A parked server
// costs nothing. All zero is valid: no limits set, every step is kPark. The server's thread.
#pragma once

#include <cstdint>

namespace mmt::sync {

struct LadderLimits {
  uint64_t spin_ns = 0;       // spin for this long after the last work
  uint64_t first_nap_ns = 0;  // then nap, each nap twice as long as the one before
  uint64_t max_nap_ns = 0;
  uint64_t park_after_ns = 0;  // park when there was no work for this long
};

class Ladder {
 public:
  enum class Step { kSpin, kNap, kPark };

  void set_limits(const LadderLimits& limits) { limits_ = limits; }

  // There was work at `now_ns`.
  void worked(uint64_t now_ns) {
    last_work_ns_ = now_ns;
    nap_ns_ = 0;
  }

  // There was none: what to do next. `now_ns` never runs backwards.
  Step idle(uint64_t now_ns) {
    const uint64_t quiet = now_ns - last_work_ns_;
    if (quiet < limits_.spin_ns) return Step::kSpin;
    if (quiet >= limits_.park_after_ns) return Step::kPark;
    nap_ns_ = nap_ns_ == 0 ? limits_.first_nap_ns : nap_ns_ * 2;
    if (nap_ns_ > limits_.max_nap_ns) nap_ns_ = limits_.max_nap_ns;
    return Step::kNap;
  }

  // How long the nap that idle() asked for lasts.
  int64_t nap_ns() const { return static_cast<int64_t>(nap_ns_); }

 private:
  LadderLimits limits_;
  uint64_t last_work_ns_ = 0;
  uint64_t nap_ns_ = 0;
};

}  // namespace mmt::sync
