#pragma once
// What the memory thread does, whether it serves or keeps house. A step is added here, to one list
// or to both; what it needs it finds in the round (keeper_round.h).
#include <cstdint>

#include <mmt/sys/clock.h>

#include "heap/gates/leave.h"
#include "heap/keeper/check_steps.h"
#include "heap/keeper/drain.h"
#include "heap/keeper/keeper_round.h"
#include "heap/keeper/prefaulter.h"
#include "heap/keeper/purger.h"
#include "heap/keeper/step_list.h"
#include "heap/keeper/sweeper.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"

namespace mmt::heap {

// Collects what came back past the channels.
class Collect {
 public:
  explicit Collect(KeeperRound& round) : round_(round) {}

  bool run(uint64_t) { return round_.clients.collect_returned(); }
  // Under the lock: the next step sees what another holder has just collected as free memory, and
  // does not overlook it in between.
  int64_t wait(uint64_t) const {
    const DepotStep lock(round_.heap, round_.self);
    return has_resting(round_.heap) || round_.heap.depot.large().has_returned() ? 0 : -1;
  }

 private:
  KeeperRound& round_;
};

// All that pays now, in one go: a thread that prepares too little is woken the sooner.
class Prefault {
 public:
  explicit Prefault(KeeperRound& round) : round_(round), prefaulter_(round.heap) {}

  bool run(uint64_t) {
    bool worked = false;
    while (!round_.must_leave() && prefaulter_.step(sys::monotonic_ns())) worked = true;
    return worked;
  }
  int64_t wait(uint64_t) const { return -1; }  // a watermark wakes it

 private:
  KeeperRound& round_;
  Prefaulter prefaulter_;
};

class Sweep {
 public:
  explicit Sweep(KeeperRound& round) : round_(round), sweeper_(round.heap) {}

  void open(uint64_t decay_ns) { sweeper_.open(decay_ns, round_.self); }
  void note_use(uint64_t now) { sweeper_.note_use(now); }
  bool run(uint64_t now) {
    if (round_.clients.were_used() || round_.worked) sweeper_.note_use(now);
    return sweeper_.run(now);
  }
  int64_t wait(uint64_t now) const { return sweeper_.wait_ns(now); }

 private:
  KeeperRound& round_;
  Sweeper sweeper_;
};

class Purge {
 public:
  explicit Purge(KeeperRound& round) : round_(round), purger_(round.heap) {}

  void open(uint64_t decay_ns) { purger_.open(decay_ns, round_.self); }
  bool run(uint64_t now) {
    bool worked = false;
    while (!round_.must_leave() && purger_.run(now)) worked = true;
    return worked;
  }
  // Under the lock: see Collect.
  int64_t wait(uint64_t now) const {
    const DepotStep lock(round_.heap, round_.self);
    return purger_.wait_ns(now);
  }

 private:
  KeeperRound& round_;
  Purger purger_;
};

// Lets whoever wants to look at the heap.
class Observe {
 public:
  explicit Observe(KeeperRound& round) : round_(round) {}

  bool run(uint64_t now) {
    if (now >= next_look_) look(now);
    return false;
  }
  int64_t wait(uint64_t) const { return -1; }
  // Whether it is due or not, as before a sleep.
  void look(uint64_t now) {
    const Observer observer = round_.heap.observer.load(std::memory_order_acquire);
    next_look_ =
        observer == nullptr ? now + kNobodyNs : observer(round_.heap, round_.self, now, true);
  }

 private:
  // When to ask again whether somebody wants to.
  static constexpr uint64_t kNobodyNs = 100 * sys::kNanosAMilli;

  KeeperRound& round_;
  uint64_t next_look_ = 0;
};

using ServingSteps = WithChecks<Drain, Collect, Prefault, Sweep, Purge, Observe>;
using HouseSteps = WithChecks<Collect, Sweep, Purge, Observe>;

}  // namespace mmt::heap
