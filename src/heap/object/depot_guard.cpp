#include "heap/object/depot_guard.h"

#include <algorithm>
#include <atomic>

#include <mmt/core/check.h>
#include <mmt/core/stack.h>
#include <mmt/sys/thread.h>

#include "heap/object/heap.h"
#include "heap/object/server_orders.h"
#include "heap/object/thread_state.h"

namespace mmt::heap {
namespace {

// See DepotWait.
constexpr uint32_t kDepotSpins = 1000;
constexpr int kDepotTurns = 4;
constexpr uint32_t kDepotNaps = 16;  // some end early, when another is faster
constexpr int64_t kDepotNapNs = 1000000;

void set_stepping(Heap& heap, bool value) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  heap.stepping = value;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

// What the frames of a step take, those of the guard included.
constexpr size_t kStepStack = 448;

void unlock(Heap& heap, uint32_t self) {
  heap.depot.lock().unlock(self);
  heap.depot_queue.unlocked();
}

// A holder that was preempted needs the CPU, not our spinning: a bounded number of turns.
bool spin_for_depot(Heap& heap, uint32_t self) {
  for (int turn = 0;; ++turn) {
    if (heap.depot.lock().try_lock(self, kDepotSpins)) return true;
    if (turn == kDepotTurns || heap.depot.lock().held_by(self)) return false;
    sys::yield();
  }
}

// Relaxed: a bound.
size_t most_past_lock(Heap& heap) {
  const uint32_t holders = heap.holders.load(std::memory_order_relaxed);
  return kMostPastLock / std::max(1u, holders / kHoldersPastLock);
}

// Relaxed: a manner, not an order.
bool is_thrifty(Heap& heap) { return heap.thrifty.load(std::memory_order_relaxed); }

bool sleep_for_depot(Heap& heap, uint32_t self, DepotWait wait) {
  if (wait == DepotWait::kBrief || heap.depot.lock().held_by(self)) return false;
  const bool worth_it = wait == DepotWait::kPatient || heap.depot.runs().are_plenty();
  // Relaxed, both: nothing is read through them.
  const auto must_wait = [&heap, wait] {
    if (heap.forking.load(std::memory_order_relaxed)) return true;
    return wait == DepotWait::kThrifty &&
           heap.taken_past_lock.load(std::memory_order_relaxed) > most_past_lock(heap);
  };
  if (!worth_it && !must_wait()) return false;
  lend_priority_to_server(heap);
  do {
    const bool taken = is_thrifty(heap)
                           ? heap.depot_queue.lock(heap.depot.lock(), self)
                           : heap.depot.lock().lock_within(self, kDepotNaps, kDepotNapNs);
    if (taken) return true;
  } while (must_wait());
  return false;
}

bool wait_for_depot(Heap& heap, uint32_t self) {
  if (heap.depot.lock().try_lock(self, kDepotSpins)) return true;
  if (heap.depot.lock().held_by(self)) return false;
  lend_priority_to_server(heap);
  return (is_thrifty(heap) && heap.depot_queue.lock(heap.depot.lock(), self)) ||
         heap.depot.lock().lock(self);
}

bool try_for_depot(Heap& heap, uint32_t self, DepotWait wait) {
  bool taken;
  if (is_thrifty(heap))
    taken = wait == DepotWait::kBrief ? heap.depot.lock().try_lock(self, kDepotSpins)
                                      : heap.depot_queue.lock(heap.depot.lock(), self);
  else
    taken = spin_for_depot(heap, self);
  taken = taken || sleep_for_depot(heap, self, wait);
  if (taken && heap.taken_past_lock.load(std::memory_order_relaxed) != 0)
    heap.taken_past_lock.store(0, std::memory_order_relaxed);
  return taken;
}

}  // namespace

void note_taken_past_lock(Heap& heap, size_t bytes) {
  heap.taken_past_lock.fetch_add(bytes, std::memory_order_relaxed);
}

bool is_amid_depot_step(Heap& heap, uint32_t self) {
  return heap.depot.lock().held_by(self) && heap.stepping;
}

bool is_held_by(Heap& heap, uint32_t self) { return heap.depot.lock().held_by(self); }
bool is_held_here(Heap& heap) { return is_held_by(heap, thread_id()); }

DepotGuard::DepotGuard(Heap& heap, DepotWait wait) : heap_(heap), signals_(sys::block_signals()) {
  core::touch_stack<kStepStack>();
  const uint32_t self = thread_id();
  taken_here_ =
      wait == DepotWait::kForever ? wait_for_depot(heap, self) : try_for_depot(heap, self, wait);
  held_ = taken_here_ || (heap.depot.lock().held_by(self) && !heap.stepping);
  if (held_) set_stepping(heap_, true);
}

DepotGuard::~DepotGuard() {
  if (held_) set_stepping(heap_, false);
  if (taken_here_) unlock(heap_, thread_id());
  sys::restore_signals(signals_);
}

DepotStep::DepotStep(Heap& heap, uint32_t self, uint32_t spins) : heap_(heap), self_(self) {
  core::touch_stack<kStepStack>();
  taken_here_ =
      spins == kNoLimit ? heap.depot.lock().lock(self_) : heap.depot.lock().try_lock(self_, spins);
  held_ = taken_here_ || (heap.depot.lock().held_by(self_) && !heap.stepping);
  if (held_) set_stepping(heap_, true);
}

DepotStep::~DepotStep() {
  if (held_) set_stepping(heap_, false);
  if (taken_here_) unlock(heap_, self_);
}

bool hold_depot_for_fork(Heap& heap, uint32_t self) {
  if (heap.depot.lock().held_by(self)) {
    ++heap.nested_forks;
    return false;
  }
  static_cast<void>(wait_for_depot(heap, self));
  return true;
}

LockToken lock_of_fork(Heap& heap, uint32_t self) {
  MMT_DEBUG_CHECK(heap.depot.lock().held_by(self));
  return LockToken(0);
}

bool ends_outermost_fork(Heap& heap, uint32_t self) {
  // Not held when the heap could not be opened before the fork, or was opened since.
  if (!heap.depot.lock().held_by(self)) return false;
  if (heap.nested_forks == 0) return true;
  --heap.nested_forks;
  return false;
}

void release_depot_after_fork(Heap& heap, uint32_t self) { unlock(heap, self); }

bool reset_depot_lock_in_child(Heap& heap, uint32_t self) {
  heap.nested_forks = 0;
  heap.depot_queue.reset_in_child();
  heap.depot.lock().reset_in_child(heap.stepping ? self : 0);
  return heap.stepping;
}

}  // namespace mmt::heap
