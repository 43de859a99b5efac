#pragma once
// The memory thread's look at freed blocks, by and by. While the program uses the heap, each round
// is bounded in bytes, so that it takes a per cent of a CPU at most. It goes on for some seconds
// after the last use, for what a program writes that sleeps in between.
#include <cstddef>
#include <cstdint>

#include <mmt/sys/clock.h>

#include "harden/patrol.h"
#include "harden/settings.h"
#include "harden/times.h"
#include "heap/keeper/keeper_round.h"

namespace mmt::harden {

class PatrolStep {
 public:
  explicit PatrolStep(heap::KeeperRound& round) : round_(round) {}

  bool run(uint64_t now) {
    see_time();
    const bool is_used = round_.worked || round_.clients.were_used();
    if (is_used) passes_left_ = kPassesAfterUse;
    if (now < next_round_ || passes_left_ == 0) return false;
    next_round_ = now + kRoundNs;
    if (!settings.is_read || !settings.checks_freed) return false;
    if (!patrol_.run(kBytesARound)) --passes_left_;
    return false;
  }
  int64_t wait(uint64_t now) const {
    if (passes_left_ == 0) return -1;
    return now >= next_round_ ? 0 : static_cast<int64_t>(next_round_ - now);
  }

 private:
  static constexpr uint64_t kRoundNs = 200 * sys::kNanosAMilli;
  static constexpr size_t kBytesARound = size_t{4} << 20;
  static constexpr int kPassesAfterUse = 25;

  heap::KeeperRound& round_;
  Patrol patrol_;
  uint64_t next_round_ = 0;
  int passes_left_ = kPassesAfterUse;
};

}  // namespace mmt::harden
