// This is a lock that its holder may take again, as often as it gives it back. So the lock lasts
// through a fork in a signal handler that interrupted its holder, or another fork. A child's thread
// holds what its parent's held; the others are not there. A handler may interrupt anywhere: what it
// takes and gives back itself leaves the lock as it was.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/thread/thread_index.h>
#include <mmt/sync/try_lock.h>

namespace mmt::layers {

class RecursiveLock {
 public:
  static constexpr bool kRecursive = true;

  constexpr RecursiveLock() = default;
  RecursiveLock(const RecursiveLock&) = delete;
  RecursiveLock& operator=(const RecursiveLock&) = delete;

  MMT_ALWAYS_INLINE void lock() {
    if (MMT_UNLIKELY(!lock_.lock(self()))) ++more_;
  }
  MMT_ALWAYS_INLINE void unlock() {
    if (MMT_UNLIKELY(more_ != 0)) {
      --more_;
    } else {
      lock_.unlock(self());
    }
  }

  void prepare_fork() { lock(); }
  void after_fork_in_parent() { unlock(); }
  void after_fork_in_child() { unlock(); }

 private:
  static uint32_t self() { return static_cast<uint32_t>(thread_index()) + 1; }

  sync::TryLock<> lock_;
  uint32_t more_ = 0;  // how often its holder took it beyond the first time
};

}  // namespace mmt::layers
