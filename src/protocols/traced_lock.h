#pragma once
// TracedLock is a lock between clients and the memory thread. It knows when the memory thread waits
// for it. A handler may interrupt a client that holds the lock, and fork. The fork wants the memory
// thread at rest, but that thread can only wait for the lock. So the memory thread is taken to be
// at rest there, for this one thread. It rests once more before it does anything with the lock.
//
// A thread holds no lock, holds one that `held` names, or is about to hold it. The memory thread
// waits for one that `awaited` names, or rests with none, or does neither.
#include <atomic>

#include <mmt/core/compiler.h>

#include "protocols/primitives.h"

namespace mmt::protocols {

struct LockTrace {
  // The lock that this thread holds, or is about to; one at a time.
  static inline thread_local const void* volatile held = nullptr;
  // The one that the memory thread waits for.
  static inline constinit std::atomic<const void*> awaited{nullptr};
  // The memory thread has seen `pauses`, with no lock.
  static inline constinit std::atomic<bool> rests{false};
  // Threads that hold one and want the memory thread to wait on; this one's.
  static inline constinit std::atomic<uint32_t> pauses{0};
  static inline thread_local uint32_t own_pauses = 0;

  // --- a thread in whose midst a handler runs: nothing happens where it holds none ---

  static void pause() {
    if (held == nullptr) return;
    ++own_pauses;
    pauses.fetch_add(1, std::memory_order_seq_cst);
  }
  static void resume() {
    if (held == nullptr) return;
    pauses.fetch_sub(1, std::memory_order_release);
    --own_pauses;
  }
  // The memory thread waits for what this thread holds, or for the end of the pauses: it does
  // nothing until resume().
  static bool is_awaited() {
    return held != nullptr && (awaited.load(std::memory_order_seq_cst) == held ||
                               rests.load(std::memory_order_seq_cst));
  }
  // A fork's child, whose only thread ends so many pauses at once: the fork's.
  static void reset_in_child(uint32_t ended) {
    rests.store(false, std::memory_order_relaxed);
    awaited.store(nullptr, std::memory_order_relaxed);
    if (held != nullptr) own_pauses -= ended;
    pauses.store(own_pauses, std::memory_order_relaxed);
  }
};

// Any thread may call it.
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
  // A client calls it. False: it was not to be had for some `patience_ns`; 0: at once.
  bool lock_for(uint64_t patience_ns) {
    LockTrace::held = this;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (MMT_LIKELY(patience_ns == 0 ? lock_.try_lock() : lock_.lock_for(patience_ns))) return true;
    LockTrace::held = nullptr;
    return false;
  }
  void unlock() {
    lock_.unlock();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    LockTrace::held = nullptr;
  }
  // A fork's child: the memory thread may have had it.
  void reset_in_child() { lock_.reset_in_child(); }

 private:
  // Sequentially consistent: a thread that wants it to rest says so before it looks at `awaited`
  // and `rests`. These are written here before the look at `pauses`. One of the two sees the other.
  void lock_as_server() {
    for (;;) {
      LockTrace::awaited.store(this, std::memory_order_seq_cst);
      lock_.lock();
      LockTrace::awaited.store(nullptr, std::memory_order_seq_cst);
      if (MMT_LIKELY(LockTrace::pauses.load(std::memory_order_seq_cst) == 0)) return;
      lock_.unlock();
      LockTrace::rests.store(true, std::memory_order_seq_cst);
      while (LockTrace::pauses.load(std::memory_order_acquire) != 0) sys::sleep_ns(50'000);
      LockTrace::rests.store(false, std::memory_order_seq_cst);
    }
  }

  Lock lock_;
};

}  // namespace mmt::protocols
