#pragma once
// Gives free memory back to the OS as it ages. Time-bound: what has been free and untouched for a
// whole decay interval goes; ratio-bound: when free memory exceeds half of what is in use,
// intervals are shorter. Works in bounded runs with the depot lock released around the system call.
#include <cstddef>
#include <cstdint>

#include "native/region.h"

namespace mmt::offload {

class Purger {
 public:
  // `self` is the caller's identity for the depot lock.
  void open(uint64_t decay_ns, uint32_t self);

  // Does what is due at `now`. True: there is more to do at once.
  bool run(uint64_t now);

  // How long the memory thread may sleep before run() has work; negative: without limit.
  int64_t wait_ns(uint64_t now) const;

  // All free memory, at once. True when there was any.
  bool purge_everything();

 private:
  bool purge(bool aged_only);
  bool purge_excess();
  template <class Begin>
  size_t purge_run(Begin&& begin, native::Slot* first, bool* purged);

  uint64_t decay_ns_ = 0;
  uint64_t next_tick_ = 0;
  uint32_t self_ = 0;
};

}  // namespace mmt::offload
