#pragma once
// The gate by which blocks leave a thread for the depot: whichever way a batch has come, over a
// channel, from an ended thread's caches, from a CPU's cache or by itself, it passes here.
//
// Where blocks are inspected (inspection.h), that is on the way: in leave() and leave_as(),
// by who reads a channel (surplus_reader.h), and before what has rested is merged. While the memory
// thread serves, threads of the program leave all to it, but for who gathers or counts all memory.
// Caches of CPUs are no way then: they hold what came from the depot alone.
// Any thread, any context, but where stated.
#include <cstdint>

#include <mmt/sys/thread.h>

#include "offload/batch.h"
#include "offload/depot_guard.h"
#include "offload/inspection.h"
#include "offload/runtime.h"
#include "offload/thread_state.h"

namespace mmt::offload {

// The last step of each way: the blocks are the depot's.
MMT_ALWAYS_INLINE void put(native::Depot& depot, LockToken lock, const Batch& batch) {
  switch (batch.form) {
    case Batch::Form::kBlocks:
      return depot.spans().put_blocks(lock, batch.size_class, batch.blocks(), batch.count);
    case Batch::Form::kOffsets:
      return depot.spans().put_offsets(lock, batch.size_class, batch.base, batch.offsets(),
                                       batch.count);
    case Batch::Form::kWords:
      return depot.spans().put_words(lock, depot.region().slot_of(batch.base), batch.words());
    case Batch::Form::kLarge:
      return depot.large().give(lock, batch.base, batch.moved);
  }
}

// Without the lock and without a wait: it rests where the next holder of the lock finds it, or the
// memory thread before that, where it is to be inspected.
void rest(Heap& heap, const Batch& batch);

// For threads of the program, where blocks are inspected: see leave().
template <class Before>
bool leave_for_inspection(Heap& heap, const Batch& batch, Before&& before) {
  const sys::SignalsBlocked blocked;
  if (heap.server_running() || is_amid_depot_step(heap, thread_id())) {
    before();
    rest(heap, batch);
    return false;
  }
  Inspections::see(heap, batch);
  const DepotGuard lock(heap);
  before();
  put(heap.depot, lock, batch);
  return true;
}

// Puts it if the lock is to be had in `wait`, and lets it rest else (false). First before() is
// called: from then on the blocks may be anybody's.
template <class Before>
bool leave(Heap& heap, const Batch& batch, DepotWait wait, Before&& before) {
  if constexpr (Inspections::kAny) return leave_for_inspection(heap, batch, before);
  {
    const DepotGuard lock(heap, wait);
    before();
    if (lock.held()) {
      put(heap.depot, lock, batch);
      return true;
    }
  }
  rest(heap, batch);
  return false;
}
inline bool leave(Heap& heap, const Batch& batch, DepotWait wait) {
  return leave(heap, batch, wait, [] {});
}

// The same for who has blocked signals already, the memory thread above all, which `self` names. It
// waits as long as it takes.
void leave_as(Heap& heap, uint32_t self, const Batch& batch);

// Merges what rests: small blocks of at most so many spans, and what is to be inspected. False:
// there was nothing. By who has blocked signals.
bool merge_resting(Heap& heap, uint32_t self, size_t most_spans);
// Something rests. Any thread: a guess.
bool has_resting(Heap& heap);

}  // namespace mmt::offload
