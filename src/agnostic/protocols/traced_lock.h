#pragma once
// A lock between a client and the memory thread, which knows when that waits for it. A handler may
// interrupt a client that holds it, and fork: the fork has the memory thread come to rest, which it
// does as well where it can only wait.
#include <atomic>

#include <mmt/core/compiler.h>

#include "agnostic/primitives.h"

namespace mmt::agnostic {

struct LockTrace {
  // The memory thread sets them: whether it is to rest, and its rest, until it may go on.
  static inline thread_local bool (*is_rest_wanted)() = nullptr;
  static inline thread_local void (*rest)() = nullptr;

  // The lock that this thread holds, or is about to; one at a time.
  static inline thread_local const void* volatile held = nullptr;
  // The one that the memory thread waits for.
  static inline constinit std::atomic<const void*> awaited{nullptr};

  // The memory thread waits for what this thread holds: it does nothing until it has rested.
  static bool is_awaited() {
    return held != nullptr && awaited.load(std::memory_order_seq_cst) == held;
  }
};

// Any thread.
template <class Lock>
class TracedLock {
 public:
  void lock() {
    if (LongWait::is_server) return lock_as_server();
    // A handler may come between the two, here and below: whom the lock is given to then rests
    // before all else.
    LockTrace::held = this;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    lock_.lock();
  }
  void unlock() {
    lock_.unlock();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    LockTrace::held = nullptr;
  }
  // A fork's child: the memory thread may have had it.
  void reset_in_child() { lock_.reset_in_child(); }

 private:
  // Sequentially consistent: who wants it to rest says so before it looks at `awaited`, which is
  // written here before the look at what is wanted. One of the two sees the other.
  void lock_as_server() {
    for (;;) {
      LockTrace::awaited.store(this, std::memory_order_seq_cst);
      lock_.lock();
      LockTrace::awaited.store(nullptr, std::memory_order_seq_cst);
      if (MMT_LIKELY(!LockTrace::is_rest_wanted())) return;
      lock_.unlock();
      LockTrace::rest();
    }
  }

  Lock lock_;
};

}  // namespace mmt::agnostic
