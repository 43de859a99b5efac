#pragma once
// Blocks leave a thread for the depot by this gate. A batch passes here, whichever way it has come:
// over a channel, from an ended thread's caches, from a CPU's cache or by itself.
//
// Blocks may be inspected on the way (inspection.h): in leave() and leave_as(), by the reader of a
// channel (surplus_reader.h), and before rested blocks are merged. Where they are, and while the
// memory thread serves, threads of the program leave all to it, unless they gather or count all
// memory. Caches of CPUs are no way where blocks are inspected: they hold what came from the depot
// alone. Any thread may call these in any context, but where stated.
#include <cstdint>

#include <mmt/sys/thread.h>

#include "heap/gates/batch.h"
#include "heap/gates/inspection.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/thread_state.h"

namespace mmt::heap {

// The last step of each way: the blocks are the depot's.
MMT_ALWAYS_INLINE void put(store::Depot& depot, LockToken lock, const Batch& batch) {
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

// Leaves a batch without the lock and without a wait. The batch rests where the next holder of the
// lock finds it. A batch that is to be inspected rests where the memory thread finds it before
// that.
void rest(Heap& heap, const Batch& batch);

// Whether a batch may rest until the memory thread inspects it: see uninspected.h.
bool may_rest(Heap& heap, const Batch& batch);
// Merges what rests: small blocks of at most so many spans, and what is to be inspected. False:
// there was nothing. The caller has blocked signals.
bool merge_resting(Heap& heap, uint32_t self, size_t most_spans);

// For threads of the program, where blocks are inspected: see leave().
template <class Before>
bool leave_for_inspection(Heap& heap, const Batch& batch, Before&& before) {
  const sys::SignalsBlocked blocked;
  const uint32_t self = thread_id();
  const bool is_served = heap.server_running();
  if (is_amid_depot_step(heap, self) || (is_served && may_rest(heap, batch))) {
    before();
    rest(heap, batch);
    return false;
  }
  // Some rested as the last memory thread left.
  if (!is_served) merge_resting(heap, self, ~size_t{0});
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

// The same for a thread that has blocked signals already, the memory thread above all. `self` names
// it. It waits as long as it takes.
void leave_as(Heap& heap, uint32_t self, const Batch& batch);

// Something rests. Any thread may ask: it is a guess.
bool has_resting(Heap& heap);

}  // namespace mmt::heap
