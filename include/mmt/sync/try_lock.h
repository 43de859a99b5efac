// The lock of the depot, of a channel's reading end, a CPU's cache, the region's growth. Most try
// it, some with short sleeps. A thread that waits spins first, and then sleeps in the kernel.
//
// States: 0 free; otherwise the owner's id (thread id, 1 .. 2^30 - 1), with kWaiters set when
// somebody may be asleep. A caller names itself, so that a signal handler which interrupted the
// owner learns it instead of waiting for itself: its calls return false.
// A thread that must not wait for an owner that may never come back takes its place by hand_over().
// At a fork, prepare takes the lock, and the parent unlocks. The child, whose thread has another
// id, calls reset_in_child(). All zero is valid: free.
#pragma once

#include <cstdint>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kLockTry{
    "try_lock.try", std::memory_order_acquire,
    "kLockRelease: what the last owner did is seen by the next, which tried"};
inline constexpr OrderSite kLockWaited{
    "try_lock.waited", std::memory_order_acquire,
    "kLockRelease: what the last owner did is seen by the next, which waited"};
inline constexpr OrderSite kLockRelease{
    "try_lock.release", std::memory_order_release,
    "kLockTry and kLockWaited: done before the next owner starts"};
inline constexpr OrderSite kLockHandOver{
    "try_lock.hand_over", std::memory_order_acq_rel,
    "itself: what was done before one change of the owner is seen after the next"};

template <class Sync = RealSync>
class TryLock {
 public:
  static constexpr uint32_t kWaiters = uint32_t{1} << 31;

  // One attempt and up to `spins` more. False when it is held, by the caller included.
  [[nodiscard]] bool try_lock(uint32_t self, uint32_t spins = 0) {
    for (;;) {
      // Relaxed: only the exchange that takes the lock needs to be ordered.
      uint32_t seen = word_.load(kRelaxed);
      if (seen == 0 && word_.compare_exchange_strong(seen, self, Sync::order(kLockTry), kRelaxed)) {
        return true;
      }
      if (spins == 0 || (seen & ~kWaiters) == self) return false;
      --spins;
      Sync::relax();
    }
  }

  // Waits as long as it takes. False, at once, when the caller holds it already.
  [[nodiscard]] bool lock(uint32_t self, uint32_t spins = kSpins) {
    if (try_lock(self, spins)) return true;
    if (held_by(self)) return false;
    while (const uint32_t held = take_or_mark(self)) Sync::futex_wait(word_, held, kForever);
    return true;
  }

  // Sleeps at most `naps` times, for `nap_ns` each. False when it is held after that, or by the
  // caller. The mark stays: if this call was woken in another sleeper's place, the owner's unlock
  // wakes that one.
  [[nodiscard]] bool lock_within(uint32_t self, uint32_t naps, int64_t nap_ns) {
    if (held_by(self)) return false;
    for (;; --naps) {
      const uint32_t held = take_or_mark(self);
      if (held == 0 || naps == 0) return held == 0;
      Sync::futex_wait(word_, held, nap_ns);
    }
  }

  // The owner calls it. It keeps errno.
  void unlock(uint32_t self) {
    MMT_DEBUG_CHECK(held_by(self), "unlocked by another than the owner", owner(), self);
    const uint32_t last = word_.exchange(0, Sync::order(kLockRelease));
    if (MMT_UNLIKELY((last & kWaiters) != 0)) Sync::futex_wake(word_);
    static_cast<void>(self);
  }

  // Another becomes the owner, by its own act or the owner's; sleepers sleep on. To 0: nobody does,
  // and a sleeper is woken. False: `from` is it no longer.
  [[nodiscard]] bool hand_over(uint32_t from, uint32_t to) {
    uint32_t seen = word_.load(kRelaxed);  // as in try_lock
    while ((seen & ~kWaiters) == from) {
      const uint32_t waiters = to == 0 ? 0 : seen & kWaiters;
      if (!word_.compare_exchange_strong(seen, to | waiters, Sync::order(kLockHandOver), kRelaxed))
        continue;
      if (MMT_UNLIKELY(to == 0 && (seen & kWaiters) != 0)) Sync::futex_wake(word_);
      return true;
    }
    return false;
  }

  // The owner's id, 0 when free. Relaxed: exact only for the question "do I hold it?".
  uint32_t owner() const { return word_.load(kRelaxed) & ~kWaiters; }
  bool held_by(uint32_t self) const { return owner() == self; }

  // A fork's child: nobody waits, and it is free, or its only thread's, which has another id now.
  void reset_in_child(uint32_t owner = 0) { word_.store(owner, kRelaxed); }

 private:
  static constexpr uint32_t kSpins = 100;

  // Takes the lock and returns 0, or marks it and returns the word to sleep on.
  uint32_t take_or_mark(uint32_t self) {
    for (;;) {
      uint32_t seen = word_.load(kRelaxed);  // as in try_lock
      if (seen == 0) {
        // Others may sleep too: keep the mark, at worst for one idle wake-up.
        if (word_.compare_exchange_strong(seen, self | kWaiters, Sync::order(kLockWaited),
                                          kRelaxed)) {
          return 0;
        }
        continue;
      }
      // Relaxed: the mark carries nothing; unlock's exchange reads the last value of the word.
      if ((seen & kWaiters) != 0 ||
          word_.compare_exchange_strong(seen, seen | kWaiters, kRelaxed, kRelaxed)) {
        return seen | kWaiters;
      }
    }
  }

  typename Sync::template Atomic<uint32_t> word_{};
};

}  // namespace mmt::sync
