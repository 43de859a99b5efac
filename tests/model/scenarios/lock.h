// The depot lock: one owner at a time, who sees all that the owners before did; nobody sleeps for
// ever.
#pragma once

#include <cstdint>

#include <mmt/sync/try_lock.h>

namespace mmt::model {

// kWaiters threads that wait, the others try until they get it.
template <class World, int kWaiting, int kTrying>
struct Locking {
  static constexpr int kThreads = kWaiting + kTrying;
  sync::TryLock<World> lock;
  typename World::template Plain<uint32_t> entered;

  void thread(int index) {
    const auto self = static_cast<uint32_t>(index) + 1;
    if (index < kWaiting) {
      World::require(lock.lock(self, 0), "a waiter gets the lock");
    } else {
      World::await([&] { return lock.try_lock(self); });
    }
    World::require(lock.held_by(self), "the owner is known");
    entered = entered + 1;
    lock.unlock(self);
  }
  void finish() {
    World::require(entered == kThreads, "everybody was in");
    World::require(lock.owner() == 0, "the lock is free");
  }
};

// A client tries with spins and goes its own way when it is late, twice.
template <class World>
struct TryAndGoOn {
  static constexpr int kThreads = 2;
  sync::TryLock<World> lock;
  typename World::template Plain<uint32_t> entered;
  uint32_t successes[kThreads] = {};

  void thread(int index) {
    const auto self = static_cast<uint32_t>(index) + 1;
    for (int round = 0; round < 2; ++round) {
      const bool held = index == 0 ? lock.lock(self, 1) : lock.try_lock(self, 1);
      if (!held) continue;
      entered = entered + 1;
      ++successes[index];
      lock.unlock(self);
    }
  }
  void finish() {
    World::require(successes[0] == 2, "who waits gets it");
    World::require(entered == successes[0] + successes[1], "nobody else was in");
  }
};

// An owner that stands still is overtaken. Whoever has the turn works under another id, so that
// nobody takes its place then; the other finds that it is the owner no longer.
template <class World>
struct TakeOver {
  static constexpr int kThreads = 2;
  static constexpr uint32_t kAtWork = 9;
  sync::TryLock<World> lock;
  typename World::template Plain<uint32_t> entered;
  uint32_t times[kThreads] = {};

  void thread(int index) {
    const auto self = static_cast<uint32_t>(index) + 1;
    if (index == 0) {
      World::require(lock.lock(self, 0), "a waiter gets the lock");
    } else {
      World::await([&] { return lock.try_lock(self) || lock.hand_over(1, self); });
    }
    if (lock.hand_over(self, kAtWork)) {
      entered = entered + 1;
      ++times[index];
      World::require(lock.hand_over(kAtWork, self), "nobody takes the place of who works");
    }
    const bool is_owner = lock.hand_over(self, 0);
    World::require(is_owner || index == 0, "nobody takes the place of the second");
  }
  void finish() {
    World::require(times[1] == 1 && entered == times[0] + times[1], "one at a time");
    World::require(lock.owner() == 0, "the lock is free");
  }
};

// One waits as long as it takes, one for a while, one tries once: whoever goes on without the
// lock leaves nobody asleep.
template <class World>
struct WaitForAWhile {
  static constexpr int kThreads = 3;
  sync::TryLock<World> lock;
  typename World::template Plain<uint32_t> entered;
  bool held[kThreads] = {};

  void thread(int index) {
    const auto self = static_cast<uint32_t>(index) + 1;
    switch (index) {
      case 0:
        held[index] = lock.lock(self, 0);
        break;
      case 1:
        held[index] = lock.lock_within(self, 1, 1000);
        break;
      default:
        held[index] = lock.try_lock(self);
        break;
    }
    if (!held[index]) return;
    entered = entered + 1;
    lock.unlock(self);
  }
  void finish() {
    World::require(held[0], "who waits gets it");
    const uint32_t expected = uint32_t{held[0]} + uint32_t{held[1]} + uint32_t{held[2]};
    World::require(entered == expected, "nobody else was in");
    World::require(lock.owner() == 0, "the lock is free");
  }
};

}  // namespace mmt::model
