// The seam between the synchronisation headers and the memory model. Each header is a template on
// `class Sync`. RealSync is the machine. The model checker of tests/model brings a Sync of its own,
// so that it checks what is shipped.
//
// Every order stronger than relaxed is an OrderSite: a named constant beside the code, with the
// site it pairs with and why. The checker weakens the sites one by one and must then find an error.
// Operations on one atomic that carry no site are relaxed, and say so.
#pragma once

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>

#include <atomic>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::sync {

struct OrderSite {
  const char* name;
  std::memory_order order;
  const char* pairs_with;  // the partner site, and what the pair is for
};

inline constexpr std::memory_order kRelaxed = std::memory_order_relaxed;

// Waits without end.
inline constexpr int64_t kForever = -1;

// Real: std::atomic, the CPU's fences, the kernel's futex.
struct RealSync {
  template <class T>
  using Atomic = std::atomic<T>;

  // Memory that is handed from thread to thread by the orders of others; the checker looks for
  // races on it.
  template <class T>
  using Plain = T;

  static constexpr std::memory_order order(const OrderSite& site) { return site.order; }
  static MMT_ALWAYS_INLINE void fence(const OrderSite& site) {
    if constexpr (core::kThreadSanitizer) {
      // TSan knows no fences. A relaxed RMW is one on x86-64, and orders nothing in TSan's eyes.
      std::atomic<uint32_t> word{};
      word.fetch_add(1, kRelaxed);
    } else {
      std::atomic_thread_fence(site.order);
    }
  }
  // Keeps the compiler from moving accesses across. The partner of a fence on all threads.
  static MMT_ALWAYS_INLINE void compiler_fence() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  // Each thread of the process passes through a seq_cst fence while this call lasts (membarrier).
  // False where the kernel has none, or sys::prepare_barrier() was not called: then only the caller
  // did. Changes no errno.
  static bool fence_all_threads(const OrderSite& site) {
    if (core::raw_syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) return true;
    fence(site);
    return false;
  }
  static MMT_ALWAYS_INLINE void relax() { core::cpu_relax(); }
  static MMT_ALWAYS_INLINE void prefetch_write(const void* address) {
    core::prefetch_for_write(address);
  }

  // Copies to a place that begins a cache line, whole lines of it past the caches. Such stores are
  // ordered with what follows by stream_fence() only.
  template <class T>
  static MMT_ALWAYS_INLINE void stream(T* to, const T* from, size_t count) {
    core::copy_past_cache(to, from, count * sizeof(T));
  }
  // The caller's streamed stores come before its later stores; a release store alone does not see
  // to that.
  static MMT_ALWAYS_INLINE void stream_fence(const OrderSite&) { core::store_fence(); }

  // Sleeps while `word` holds `expected`; returns when woken, when it holds something else, after
  // `timeout_ns`, on a signal, or for no reason. Changes no errno.
  static void futex_wait(std::atomic<uint32_t>& word, uint32_t expected, int64_t timeout_ns) {
    timespec timeout{};
    const timespec* limit = nullptr;
    if (timeout_ns >= 0) {
      timeout.tv_sec = static_cast<time_t>(timeout_ns / 1000000000);
      timeout.tv_nsec = static_cast<long>(timeout_ns % 1000000000);
      limit = &timeout;
    }
    core::raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE,
                      static_cast<long>(expected), reinterpret_cast<long>(limit));
  }

  // Wakes one sleeper. Changes no errno.
  static void futex_wake(std::atomic<uint32_t>& word) {
    core::raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE_PRIVATE, 1);
  }
};

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "a futex word is 32 bits");

}  // namespace mmt::sync
