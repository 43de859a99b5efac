// A sleeper in the queue for the depot lock is woken by the thread that unlocks. The end of its
// sleep, which never comes here, does not wake it. A thread that is overlooked waits for ever.
#pragma once

#include <cstdint>

#include <mmt/sync/lock_queue.h>
#include <mmt/sync/try_lock.h>

namespace mmt::model {

// Two threads; the first comes kRounds times, so that it sleeps after it has woken.
template <class World, int kRounds>
struct Queueing {
  static constexpr int kThreads = 2;
  sync::TryLock<World> lock;
  sync::LockQueue<World> queue;
  typename World::template Plain<uint32_t> entered;

  void thread(int index) {
    constexpr sync::QueuePatience kPatience{0, 0, 1, sync::kForever};
    const auto self = static_cast<uint32_t>(index) + 1;
    for (int round = 0; round < (index == 0 ? kRounds : 1); ++round) {
      World::require(queue.lock(lock, self, kPatience), "who waits gets the lock");
      entered = entered + 1;
      lock.unlock(self);
      queue.unlocked();
    }
  }
  void finish() {
    World::require(entered == kRounds + 1, "everybody was in");
    World::require(lock.owner() == 0, "the lock is free");
  }
};

}  // namespace mmt::model
