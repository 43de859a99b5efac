#include "offload/depot_guard.h"

#include <algorithm>
#include <atomic>

#include <mmt/core/check.h>
#include <mmt/core/stack.h>
#include <mmt/sys/thread.h>

#include "offload/runtime.h"
#include "offload/server_thread.h"
#include "offload/thread_state.h"

namespace mmt::offload {
namespace {

// See DepotWait.
constexpr uint32_t kDepotSpins = 1000;
constexpr int kDepotTurns = 4;
constexpr uint32_t kDepotNaps = 16;  // some end early, when another is faster
constexpr int64_t kDepotNapNs = 1000000;

// The lock's holder is amid a step, and does not just keep the lock for a fork. Its own.
constinit bool stepping = false;
constinit uint32_t nested_forks = 0;  // of the lock's holder, beyond the first

native::Depot::Lock& lock() { return runtime.depot.lock(); }

void set_stepping(bool value) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  stepping = value;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

// What the frames of a step take, those of the guard included.
constexpr size_t kStepStack = 448;

void unlock(uint32_t self) {
  lock().unlock(self);
  runtime.depot_queue.unlocked();
}

// A holder that was preempted needs the CPU, not our spinning: a bounded number of turns.
bool spin_for_depot(uint32_t self) {
  for (int turn = 0;; ++turn) {
    if (lock().try_lock(self, kDepotSpins)) return true;
    if (turn == kDepotTurns || lock().held_by(self)) return false;
    sys::yield();
  }
}

// Relaxed: a bound.
size_t most_past_lock() {
  const uint32_t holders = runtime.holders.load(std::memory_order_relaxed);
  return kMostPastLock / std::max(1u, holders / kHoldersPastLock);
}

// Relaxed: a manner, not an order.
bool is_thrifty() { return runtime.thrifty.load(std::memory_order_relaxed); }

bool sleep_for_depot(uint32_t self, DepotWait wait) {
  if (wait == DepotWait::kBrief || lock().held_by(self)) return false;
  const bool worth_it = wait == DepotWait::kPatient || runtime.depot.free_memory_is_plenty();
  // Relaxed, both: nothing is read through them.
  const auto must_wait = [wait] {
    if (runtime.forking.load(std::memory_order_relaxed)) return true;
    return wait == DepotWait::kThrifty &&
           runtime.taken_past_lock.load(std::memory_order_relaxed) > most_past_lock();
  };
  if (!worth_it && !must_wait()) return false;
  lend_priority_to_server();
  do {
    const bool taken = is_thrifty() ? runtime.depot_queue.lock(lock(), self)
                                    : lock().lock_within(self, kDepotNaps, kDepotNapNs);
    if (taken) return true;
  } while (must_wait());
  return false;
}

bool wait_for_depot(uint32_t self) {
  if (lock().try_lock(self, kDepotSpins)) return true;
  if (lock().held_by(self)) return false;
  lend_priority_to_server();
  return (is_thrifty() && runtime.depot_queue.lock(lock(), self)) || lock().lock(self);
}

bool try_for_depot(uint32_t self, DepotWait wait) {
  bool taken;
  if (is_thrifty())
    taken = wait == DepotWait::kBrief ? lock().try_lock(self, kDepotSpins)
                                      : runtime.depot_queue.lock(lock(), self);
  else
    taken = spin_for_depot(self);
  taken = taken || sleep_for_depot(self, wait);
  if (taken && runtime.taken_past_lock.load(std::memory_order_relaxed) != 0)
    runtime.taken_past_lock.store(0, std::memory_order_relaxed);
  return taken;
}

}  // namespace

void note_taken_past_lock(size_t bytes) {
  runtime.taken_past_lock.fetch_add(bytes, std::memory_order_relaxed);
}

bool is_amid_depot_step(uint32_t self) { return lock().held_by(self) && stepping; }

DepotGuard::DepotGuard(DepotWait wait) : signals_(sys::block_signals()) {
  core::touch_stack<kStepStack>();
  const uint32_t self = thread_id();
  taken_here_ = wait == DepotWait::kForever ? wait_for_depot(self) : try_for_depot(self, wait);
  held_ = taken_here_ || (lock().held_by(self) && !stepping);
  if (held_) set_stepping(true);
}

DepotGuard::~DepotGuard() {
  if (held_) set_stepping(false);
  if (taken_here_) unlock(thread_id());
  sys::restore_signals(signals_);
}

DepotStep::DepotStep(uint32_t self, uint32_t spins) : self_(self) {
  core::touch_stack<kStepStack>();
  taken_here_ = spins == kNoLimit ? lock().lock(self_) : lock().try_lock(self_, spins);
  held_ = taken_here_ || (lock().held_by(self_) && !stepping);
  if (held_) set_stepping(true);
}

DepotStep::~DepotStep() {
  if (held_) set_stepping(false);
  if (taken_here_) unlock(self_);
}

bool hold_depot_for_fork(uint32_t self) {
  if (lock().held_by(self)) {
    ++nested_forks;
    return false;
  }
  static_cast<void>(wait_for_depot(self));
  return true;
}

LockToken lock_of_fork(uint32_t self) {
  MMT_DEBUG_CHECK(lock().held_by(self));
  return LockToken(0);
}

bool ends_outermost_fork(uint32_t self) {
  // Not held when the heap could not be opened before the fork, or was opened since.
  if (!lock().held_by(self)) return false;
  if (nested_forks == 0) return true;
  --nested_forks;
  return false;
}

void release_depot_after_fork(uint32_t self) { unlock(self); }

bool reset_depot_lock_in_child(uint32_t self) {
  nested_forks = 0;
  runtime.depot_queue.reset_in_child();
  lock().reset_in_child(stepping ? self : 0);
  return stepping;
}

}  // namespace mmt::offload
