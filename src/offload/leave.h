#pragma once
// The gate by which blocks leave a thread for the depot: whichever way a batch has come, over a
// channel, from an ended thread's caches, from a CPU's cache or by itself, it passes here.
// Any thread, any context, but where stated.
#include <cstdint>

#include "offload/batch.h"
#include "offload/depot_guard.h"
#include "offload/runtime.h"

namespace mmt::offload {

// The last step of each way: the blocks are the depot's.
MMT_ALWAYS_INLINE void put(LockToken lock, const Batch& batch) {
  native::Depot& depot = runtime.depot;
  switch (batch.form) {
    case Batch::Form::kBlocks:
      return depot.put_blocks(lock, batch.size_class, batch.blocks(), batch.count);
    case Batch::Form::kOffsets:
      return depot.put_offsets(lock, batch.size_class, batch.base, batch.offsets(), batch.count);
    case Batch::Form::kWords:
      return depot.put_words(lock, depot.region().slot_of(batch.base), batch.words());
    case Batch::Form::kLarge:
      return depot.give_large(lock, batch.base, batch.moved);
  }
}

// Without the lock and without a wait: it rests where the next holder of the lock finds it.
void rest(const Batch& batch);

// Puts it if the lock is to be had in `wait`, and lets it rest else (false). First before() is
// called: from then on the blocks may be anybody's.
template <class Before>
bool leave(const Batch& batch, DepotWait wait, Before&& before) {
  {
    const DepotGuard lock(wait);
    before();
    if (lock.held()) {
      put(lock, batch);
      return true;
    }
  }
  rest(batch);
  return false;
}
inline bool leave(const Batch& batch, DepotWait wait) {
  return leave(batch, wait, [] {});
}

// The same for who has blocked signals already, the memory thread above all, which `self` names. It
// waits as long as it takes.
void leave_as(uint32_t self, const Batch& batch);

}  // namespace mmt::offload
