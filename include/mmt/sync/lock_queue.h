// Where many threads wait for a TryLock. A lock that wakes a sleeper at each unlocking makes
// hundreds of threads take turns at every block. All of them are amid their work, and each turn
// costs a change of threads. Here at most one has been woken and not run yet. A thread that runs
// takes the lock past the sleepers, gets on with its work, and holds what it needs for a shorter
// time.
//
// Every thread that unlocks calls unlocked(), also one that took the lock without the queue. Then
// nobody sleeps while the lock is free, unless another has been woken to take it. All zero is
// valid: nobody waits. Any thread may call it.
#pragma once

#include <cstdint>

#include <mmt/sync/model.h>
#include <mmt/sync/try_lock.h>

namespace mmt::sync {

inline constexpr OrderSite kQueueSleep{
    "lock_queue.sleep", std::memory_order_acq_rel,
    "kQueueUnlocked: the later of the two sees what was done before the earlier"};
inline constexpr OrderSite kQueueUnlocked{
    "lock_queue.unlocked", std::memory_order_acq_rel,
    "kQueueSleep: the sleeper is seen, or sees that the lock is free"};
inline constexpr OrderSite kQueueRan{
    "lock_queue.ran", std::memory_order_release,
    "kQueueWake: who finds that nobody is on the way knows who sleeps no more"};
inline constexpr OrderSite kQueueWake{"lock_queue.wake", std::memory_order_acquire,
                                      "kQueueRan: its count of sleepers is no older"};

// How long a call waits without anybody's getting the lock.
struct QueuePatience {
  uint32_t spins;              // a holder that runs is done within so many
  uint32_t spins_after_sleep;  // many sleep, and each one's spinning adds up
  // Then it was preempted. In so many sleeps without a turn of anybody's it has not come back.
  int sleeps;
  int64_t sleep_ns;  // or kForever
};
inline constexpr QueuePatience kQueuePatience{1000, 100, 4, 50'000'000};

template <class Sync = RealSync>
class LockQueue {
 public:
  // Waits for the lock, as long as others get it. False: nobody has for `patience` (by default four
  // sleeps of 50 ms), or the caller holds it already.
  [[nodiscard]] bool lock(TryLock<Sync>& lock, uint32_t self,
                          const QueuePatience& patience = kQueuePatience) {
    // Relaxed, here and below: a turn that is seen late costs one more sleep.
    uint32_t turn = turns_.load(kRelaxed);
    uint32_t spins = patience.spins;
    for (int sleeps = 0; sleeps < patience.sleeps; ++sleeps, spins = patience.spins_after_sleep) {
      if (lock.try_lock(self, spins)) return true;
      if (lock.held_by(self)) return false;
      if (sleep(lock, self, patience.sleep_ns)) return true;
      const uint32_t now = turns_.load(kRelaxed);
      if (now != turn) sleeps = -1;
      turn = now;
    }
    return false;
  }

  // It is called after each unlocking.
  void unlocked() {
    if (sleepers_.fetch_add(0, Sync::order(kQueueUnlocked)) != 0) wake();
  }

  // A fork's child: nobody waits.
  void reset_in_child() {
    sleepers_.store(0, kRelaxed);
    woken_.store(0, kRelaxed);
  }

 private:
  bool sleep(TryLock<Sync>& lock, uint32_t self, int64_t sleep_ns) {
    const uint32_t turn = turns_.load(kRelaxed);  // before the count: a wake-up changes it
    sleepers_.fetch_add(1, Sync::order(kQueueSleep));
    const bool taken = lock.try_lock(self);
    if (!taken) Sync::futex_wait(turns_, turn, sleep_ns);
    sleepers_.fetch_sub(1, kRelaxed);
    woken_.store(0, Sync::order(kQueueRan));
    return taken;
  }

  void wake() {
    if (woken_.exchange(1, Sync::order(kQueueWake)) != 0) return;
    turns_.fetch_add(1, kRelaxed);  // the kernel orders it before the wake-up
    Sync::futex_wake(turns_);
    // If nobody sleeps, a thread that got the lock without sleeping has cleared the mark before it
    // was set here. Left set, the mark would keep the next sleeper asleep.
    if (sleepers_.load(kRelaxed) == 0) woken_.store(0, kRelaxed);
  }

  typename Sync::template Atomic<uint32_t> sleepers_{};
  typename Sync::template Atomic<uint32_t> turns_{};  // wake-ups so far: the word they sleep on
  typename Sync::template Atomic<uint32_t> woken_{};  // 1: one has been, and has not run yet
};

}  // namespace mmt::sync
