#include "offload/depot_queue.h"

#include <mmt/sync/model.h>

#include "offload/runtime.h"

namespace mmt::offload {
namespace {

// A holder that runs is done within so many.
constexpr uint32_t kSpins = 1000;
constexpr uint32_t kSpinsAfterSleep = 100;  // many sleep, and each one's spinning adds up
// Then it was preempted. In so many sleeps without a turn of anybody's it has not come back.
constexpr int kSleeps = 4;
constexpr int64_t kSleepNs = 50000000;

}  // namespace

bool DepotQueue::sleep(uint32_t self) {
  const uint32_t turn = turns_.load(std::memory_order_relaxed);
  // Pairs with unlocked(): it sees this, or this thread sees the lock free.
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  const bool taken = runtime.depot.lock().try_lock(self);
  if (!taken) sync::RealSync::futex_wait(turns_, turn, kSleepNs);
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
  woken_.store(false, std::memory_order_relaxed);
  return taken;
}

bool DepotQueue::lock(uint32_t self) {
  native::Depot::Lock& lock = runtime.depot.lock();
  uint32_t turn = turns_.load(std::memory_order_relaxed);
  uint32_t spins = kSpins;
  for (int sleeps = 0; sleeps < kSleeps; ++sleeps, spins = kSpinsAfterSleep) {
    if (lock.try_lock(self, spins)) return true;
    if (lock.held_by(self)) return false;
    if (sleep(self)) return true;
    const uint32_t now = turns_.load(std::memory_order_relaxed);
    if (now != turn) sleeps = 0;
    turn = now;
  }
  return false;
}

void DepotQueue::wake() {
  if (woken_.exchange(true, std::memory_order_relaxed)) return;
  turns_.fetch_add(1, std::memory_order_relaxed);
  sync::RealSync::futex_wake(turns_);
  // Who got the lock without sleeping has cleared the mark before: it would keep the next asleep.
  if (sleepers_.load(std::memory_order_relaxed) == 0)
    woken_.store(false, std::memory_order_relaxed);
}

void DepotQueue::reset_in_child() {
  sleepers_.store(0, std::memory_order_relaxed);
  woken_.store(false, std::memory_order_relaxed);
}

}  // namespace mmt::offload
