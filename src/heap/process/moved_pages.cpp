#include "heap/process/moved_pages.h"

#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/keeper/purger.h"
#include "heap/object/depot_guard.h"
#include "heap/object/thread_state.h"
#include "heap/pages/changed_pages.h"
#include "heap/pages/page_hooks.h"

namespace mmt::heap {
namespace {

using store::PurgeResult;

// A place gets pages of so many free runs at most.
constexpr int kMostDonors = 128;
// Runs of free memory that one call gives back, at most; and bytes, where the memory thread asks
// for it.
constexpr int kMostRunsGivenBack = 64;
constexpr size_t kMostGivenBack = size_t{32} << 20;
// A kernel that has no mappings left, or not the call, is soon no longer asked. A kernel that was
// out of memory for a moment is asked again.
constexpr uint32_t kMostRefusedMoves = 16;

bool may_fill(Heap& heap) { return heap.depot.seams().allow_filling() && !moves_are_refused(heap); }

void put_donor_back(Heap& heap, store::Slot first, size_t count, PurgeResult result) {
  if (result == PurgeResult::kLost) return;
  const bool clean = result == PurgeResult::kClean;
  if (DepotGuard lock(heap, DepotWait::kBrief); lock.held())
    heap.depot.purging().end(lock, first, count, clean);
  else
    heap.depot.large().return_slots(first, count, clean);
  if (!clean) heap.notify();
}

// The lowest run of free memory from `from` on that is one mapping; its length, 0 for none.
size_t begin_donor(Heap& heap, LockToken lock, store::Slot from, size_t most, store::Slot* first) {
  store::Depot& depot = heap.depot;
  const size_t count = depot.purging().begin(lock, from, most, false, first);
  if (count == 0) return 0;
  const size_t whole = depot.seams().whole_run(*first, count);
  if (whole != count)
    depot.purging().end(lock, *first + static_cast<store::Slot>(whole), count - whole, false);
  return whole;
}

}  // namespace

// Relaxed: a bound, which a few moves more do not hurt.
bool moves_are_refused(Heap& heap) {
  return heap.refused_moves.load(std::memory_order_relaxed) >= kMostRefusedMoves ||
         mlockall_holds(heap) || pages_stay(heap);
}

Move note_move(Heap& heap, sys::MoveResult result, void* to, size_t bytes) {
  if (result == sys::MoveResult::kMoved) return Move::kDone;
  heap.refused_moves.fetch_add(1, std::memory_order_relaxed);
  if (result == sys::MoveResult::kRefused) return Move::kRefused;
  return sys::renew(to, bytes) ? Move::kRefused : Move::kBroken;
}

Move move_to_fresh(Heap& heap, void* from, void* to, size_t bytes) {
  const Move move = note_move(heap, sys::move_pages(from, to, bytes), to, bytes);
  if (move == Move::kDone)
    heap.depot.seams().note_moved(slot_of(heap, from), slot_of(heap, to),
                                  bytes >> store::kSlotShift);
  return move;
}

bool worth_filling(Heap& heap, size_t bytes, Kind kind) {
  return bytes >= kFilledBytes && heap.depot.runs().dirty_bytes() >= kLeastDonor &&
         may_fill(heap) && heap.samples.is_dense(kind) && !heap.samples.is_due(kind);
}

Filled fill_from_free(Heap& heap, char* place, size_t bytes) {
  store::Depot& depot = heap.depot;
  size_t filled = 0;
  store::Slot from = 0;
  for (int i = 0; i < kMostDonors && bytes - filled >= kLeastDonor && may_fill(heap); ++i) {
    store::Slot first = 0;
    size_t count = 0;
    if (DepotGuard lock(heap, DepotWait::kBrief); lock.held())
      count = begin_donor(heap, lock, from, (bytes - filled) >> store::kSlotShift, &first);
    if (count == 0) break;
    from = first + static_cast<store::Slot>(count);
    const size_t donated = count << store::kSlotShift;
    Move move = Move::kRefused;
    if (donated >= kLeastDonor)
      move = move_to_fresh(heap, depot.region().address(first), place + filled, donated);
    put_donor_back(
        heap, first, count,
        move == Move::kDone ? depot.purging().renew_pages(first, count) : PurgeResult::kDirty);
    if (donated < kLeastDonor) continue;
    if (move != Move::kDone) return {filled, move == Move::kBroken};
    filled += donated;
  }
  return {filled, false};
}

// A thread that is about to fault in as much fresh memory calls this, since memory kept for large
// blocks is not to add up. A thread that frees also calls it, where the memory thread may not. A
// watcher may allocate and free; nothing is given back again from there.
void give_back_excess(Heap& heap, size_t bytes) {
  if (bytes < store::kSlotBytes || thread_state.gives_back || !Purger::is_excess(heap)) return;
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  thread_state.gives_back = true;
  store::Depot& depot = heap.depot;
  for (int i = 0; i < kMostRunsGivenBack && bytes >= store::kSlotBytes && Purger::is_excess(heap);
       ++i) {
    store::Slot first = 0;
    size_t count = 0;
    if (DepotGuard lock(heap, DepotWait::kBrief); lock.held())
      count = depot.purging().begin_top(lock, bytes >> store::kSlotShift, &first);
    if (count == 0) break;
    const PurgeResult result = depot.purging().purge_pages(first, count, discard_for_watchers());
    put_donor_back(heap, first, count, result);
    if (result == PurgeResult::kDirty) break;
    bytes -= count << store::kSlotShift;
  }
  thread_state.gives_back = false;
}

void give_back_as_told(Heap& heap) {
  // Relaxed: a hint, from the memory thread, which may not do it.
  heap.program_gives_back.store(false, std::memory_order_relaxed);
  if (pages_are_watched()) give_back_excess(heap, kMostGivenBack);
}

}  // namespace mmt::heap
