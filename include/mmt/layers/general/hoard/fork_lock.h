// This is a lock that lasts through fork. A call of prepare_fork() takes the lock. Until
// after_fork_...() the calling thread may go on as if the lock were open, as handlers of fork that
// come later may allocate. If the holder of a lock may take it again, its LastingLock is that lock
// itself.
#pragma once

#include <atomic>

#include <mmt/core/compiler.h>
#include <mmt/layers/thread/mutex.h>

namespace mmt::layers {

namespace detail {
// How many locks this thread holds for a fork. Its address stands for the thread.
inline size_t& locks_held_for_fork() {
  static constinit thread_local size_t count = 0;
  return count;
}
}  // namespace detail

template <HeapLock Lock>
class ForkLock {
 public:
  constexpr ForkLock() = default;
  ForkLock(const ForkLock&) = delete;
  ForkLock& operator=(const ForkLock&) = delete;

  MMT_ALWAYS_INLINE void lock() {
    if (MMT_LIKELY(!is_held_for_fork())) lock_.lock();
  }
  MMT_ALWAYS_INLINE void unlock() {
    if (MMT_LIKELY(!is_held_for_fork())) lock_.unlock();
  }

  void prepare_fork() {
    if constexpr (ForkableLock<Lock>) {
      lock_.prepare_fork();
    } else {
      lock_.lock();
    }
    size_t& count = detail::locks_held_for_fork();
    ++count;
    holder_.store(&count, std::memory_order_relaxed);
  }
  void after_fork_in_parent() {
    forget_holder();
    if constexpr (ForkableLock<Lock>) {
      lock_.after_fork_in_parent();
    } else {
      lock_.unlock();
    }
  }
  void after_fork_in_child() {
    forget_holder();
    if constexpr (ForkableLock<Lock>) {
      lock_.after_fork_in_child();
    } else {
      lock_.unlock();
    }
  }

 private:
  MMT_ALWAYS_INLINE bool is_held_for_fork() const {
    const size_t& count = detail::locks_held_for_fork();
    // Relaxed: only the thread itself writes its own address.
    return MMT_UNLIKELY(count != 0) && holder_.load(std::memory_order_relaxed) == &count;
  }
  void forget_holder() {
    holder_.store(nullptr, std::memory_order_relaxed);
    --detail::locks_held_for_fork();
  }

  Lock lock_;
  std::atomic<const size_t*> holder_{nullptr};
};

namespace detail {
template <class Lock>
struct LastingLockOf {
  using Type = ForkLock<Lock>;
};
template <class Lock>
requires Lock::kRecursive struct LastingLockOf<Lock> {
  using Type = Lock;
};
}  // namespace detail

template <HeapLock Lock>
using LastingLock = typename detail::LastingLockOf<Lock>::Type;

}  // namespace mmt::layers
