// Locks for heaps. A lock has lock() and unlock(); to last through fork, also prepare_fork(), which
// takes it, after_fork_in_parent() and after_fork_in_child(), which open it. ScopedLock holds one
// for a block of code.
#pragma once

#include <pthread.h>

namespace mmt::layers {

template <class L>
concept HeapLock = requires(L& lock) {
  lock.lock();
  lock.unlock();
};

template <class L>
concept ForkableLock = HeapLock<L> && requires(L& lock) {
  lock.prepare_fork();
  lock.after_fork_in_parent();
  lock.after_fork_in_child();
};

// It waits in the kernel, and is not recursive. Needs no code to come into being, and none to end.
class Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() { ::pthread_mutex_lock(&mutex_); }
  void unlock() { ::pthread_mutex_unlock(&mutex_); }

  void prepare_fork() { lock(); }
  void after_fork_in_parent() { unlock(); }
  // Its threads that waited are not there any more.
  void after_fork_in_child() { ::pthread_mutex_init(&mutex_, nullptr); }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

template <HeapLock Lock>
class ScopedLock {
 public:
  explicit ScopedLock(Lock& lock) : lock_(lock) { lock_.lock(); }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;
  ~ScopedLock() { lock_.unlock(); }

 private:
  Lock& lock_;
};

}  // namespace mmt::layers
