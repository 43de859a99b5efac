#pragma once
// Locks and semaphores as the paper compares them: pthread's, and minimal ones that spin on a
// compare-and-swap (its section III-E1). One that waits long lets other threads run.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "interprocess/protocol_options.h"

namespace mmt::protocols {

// A thread that has waited long tells the memory thread its CPU. The two may share the CPU, and the
// kernel may leave them there though another one is idle.
struct LongWait {
  static constexpr int kNone = -1;
  static inline thread_local bool is_server = false;
  // Relaxed: it is a number, by which nothing else is found.
  static inline constinit std::atomic<int> cpu{kNone};

  static void tell() {
    if (!is_server) cpu.store(::sched_getcpu(), std::memory_order_relaxed);
  }
  // The memory thread calls it now and then.
  static void make_way() {
    const int taken = cpu.load(std::memory_order_relaxed);
    if (MMT_LIKELY(taken == kNone)) return;
    cpu.store(kNone, std::memory_order_relaxed);
    sys::leave_cpu(static_cast<unsigned>(taken));
  }
};

constexpr uint64_t kForEver = UINT64_MAX;

// Waits until `is_true()`: spins, then yields, then sleeps for longer and longer, so that hundreds
// that wait leave the memory thread a CPU. False: it was not so for some `patience_ns`.
template <class Condition>
bool wait_until(Condition&& is_true, uint64_t patience_ns = kForEver) {
  constexpr uint32_t kSpins = 4000;
  constexpr uint32_t kYields = 64;
  constexpr uint64_t kLongestNs = 5 * sys::kNanosAMilli;
  uint64_t sleep_ns = 50'000;
  uint64_t start = 0;
  for (uint32_t i = 0; !is_true(); ++i) {
    if (i == kSpins) LongWait::tell();
    if (i < kSpins) {
      core::cpu_relax();
    } else if (i < kSpins + kYields) {
      sys::yield();
    } else {
      const uint64_t now = patience_ns == kForEver ? 0 : sys::coarse_ns();
      if (start == 0) start = now;
      if (MMT_UNLIKELY(now - start > patience_ns)) return false;
      sys::sleep_ns(sleep_ns);
      sleep_ns = std::min(sleep_ns + sleep_ns / 8, kLongestNs);
    }
  }
  return true;
}

// A client tells the memory thread by these that there is something to do. It does so after the
// work can be found, and before it waits for the work. The engine sets them before there is a
// memory thread.
//
// The memory thread may never answer: it is in the library, which waits for a lock that the client
// holds. In jemalloc this is the lock of its mallctl while that starts threads, for which libc
// allocates. So a client waits as long as options.patience, and helps itself then. It gives back
// what it gets later.
struct Wake {
  static inline void (*now)() = [] {};        // also out of a nap
  static inline void (*if_parked)() = [] {};  // for what nobody waits for
  static inline void (*no_more)() = [] {};    // after now(): the client waits no longer
};
// The time is of the clock that pthread's functions with a limit go by. TSan knows no functions
// that go by another. It is counted from the clock's last tick, some milliseconds ago at most: a
// program may forbid the cycle counter.
inline timespec real_time_in(uint64_t ns) {
  constexpr uint64_t kSecond = 1000 * sys::kNanosAMilli;
  timespec time;
  ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
  ns += static_cast<uint64_t>(time.tv_nsec);
  time.tv_sec += static_cast<time_t>(ns / kSecond);
  time.tv_nsec = static_cast<long>(ns % kSecond);
  return time;
}
inline uint64_t patience_ns() { return backend::options.patience * sys::kNanosAMilli; }

struct PthreadPrimitives {
  class Lock {
   public:
    void lock() {
      if (backend::options.lock == backend::LockWait::kSleeping) {
        ::pthread_mutex_lock(&mutex_);
      } else {
        wait_until([&] { return try_lock(); });
      }
    }
    bool try_lock() { return ::pthread_mutex_trylock(&mutex_) == 0; }
    // False: it was not to be had for some `patience_ns`.
    bool lock_for(uint64_t patience_ns) {
      if (try_lock()) return true;
      if (backend::options.lock == backend::LockWait::kSpinning) {
        return wait_until([&] { return try_lock(); }, patience_ns);
      }
      const timespec end = real_time_in(patience_ns);
      return ::pthread_mutex_timedlock(&mutex_, &end) == 0;
    }
    void unlock() { ::pthread_mutex_unlock(&mutex_); }
    void reset_in_child() { mutex_ = PTHREAD_MUTEX_INITIALIZER; }

   private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  };
  class Semaphore {
   public:
    Semaphore() { ::sem_init(&semaphore_, 0, 0); }
    void post() { ::sem_post(&semaphore_); }
    void wait() {
      while (::sem_wait(&semaphore_) != 0) {
      }
    }
    // False: there was no post for some `patience_ns`.
    bool wait_for(uint64_t patience_ns) {
      const timespec end = real_time_in(patience_ns);
      const int kept = errno;
      int result;
      do {
        result = ::sem_timedwait(&semaphore_, &end);
      } while (result != 0 && errno == EINTR);
      errno = kept;
      return result == 0;
    }
    bool try_wait() {
      const int kept = errno;
      const bool is_taken = ::sem_trywait(&semaphore_) == 0;
      errno = kept;
      return is_taken;
    }

   private:
    sem_t semaphore_;
  };
};

struct MinimalPrimitives {
  class Lock {
   public:
    void lock() {
      wait_until([&] { return try_lock(); });
    }
    // Acquire: what the last holder did is seen.
    bool try_lock() {
      return held_.load(std::memory_order_relaxed) == 0 &&
             held_.exchange(1, std::memory_order_acquire) == 0;
    }
    bool lock_for(uint64_t patience_ns) {
      return wait_until([&] { return try_lock(); }, patience_ns);
    }
    void unlock() { held_.store(0, std::memory_order_release); }
    void reset_in_child() { held_.store(0, std::memory_order_relaxed); }

   private:
    std::atomic<uint32_t> held_{0};
  };
  class Semaphore {
   public:
    // Release and acquire: what was written before the post is seen after the wait.
    void post() { count_.fetch_add(1, std::memory_order_release); }
    void wait() {
      wait_until([&] { return try_wait(); });
    }
    bool wait_for(uint64_t patience_ns) {
      return wait_until([&] { return try_wait(); }, patience_ns);
    }
    bool try_wait() {
      uint32_t count = count_.load(std::memory_order_relaxed);
      return count != 0 &&
             count_.compare_exchange_strong(count, count - 1, std::memory_order_acquire,
                                            std::memory_order_relaxed);
    }

   private:
    std::atomic<uint32_t> count_{0};
  };
};

}  // namespace mmt::protocols
