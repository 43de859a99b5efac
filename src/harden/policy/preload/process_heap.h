#pragma once
// Goes before the plain library's: the process's heap, hardened, behind the names of
// libmmt-harden.so. A call's form and caller go along (names/call.h).
#include <pthread.h>

#include <cstddef>

#include "harden/begin.h"
#include "harden/fault_signals.h"
#include "harden/object.h"
#include "harden/process_end.h"
#include "harden/seal.h"
#include "harden/slow_object.h"
#include "names/process_heap.h"
#include "preload/whole_heap.h"

namespace mmt::names {

struct ProcessHeap : preload::WholeHeap {
  using Call = harden::Call;
  static constexpr bool kIsClosedAtFirst = true;  // by fast_sizes, and a region that has no block

  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow, Call call) {
    void* const block = harden::allocate_fast(bytes, call.form(), call.caller);
    return MMT_LIKELY(block != nullptr) ? block : slow(bytes);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow, Call call) {
    if (MMT_UNLIKELY(!harden::deallocate_fast(block, call))) slow(block);
  }
  // The concept's forms, which are not called.
  template <class Slow>
  static void* allocate_or(size_t bytes, Slow&& slow) {
    return slow(bytes);
  }
  template <class Slow>
  static void deallocate_or(void* block, Slow&& slow) {
    slow(block);
  }
  static void* allocate_slow(size_t bytes, Call call = {}) {
    return harden::allocate_slow(bytes, call);
  }
  // What is no block is reported, and nobody else's either.
  static bool deallocate_slow(void* block, Call call = {}) {
    harden::deallocate_slow(block, call);
    return true;
  }
  static void* allocate_aligned(size_t bytes, size_t alignment, Call call = {}) {
    return harden::allocate_aligned(bytes, alignment, call);
  }
  static void* allocate_zeroed(size_t bytes, Call call = {}) {
    return harden::allocate_zeroed(bytes, call);
  }
  static void* reallocate(void* block, size_t bytes, Call call = {}) {
    return harden::reallocate(block, bytes, call);
  }
  static size_t usable_size(const void* block, Call call = {}) {
    return harden::usable_size(block, call);
  }
  // All that the program passes is looked at here.
  static bool owns(const void*) { return true; }
  // Each is looked at by itself.
  static size_t deallocate_run(void* const*, size_t) { return 0; }
  static void begin() {
    harden::begin();
    harden::watch_end();
    // The heap's own come between these.
    pthread_atfork(harden::unseal_for_fork, harden::seal_after_fork, [] {
      harden::distrust_in_child();
      harden::seal_in_child();
    });
    harden::watch_fault_signals();
    harden::watch_ending_signals();
    harden::begin_sealing();
  }
};

}  // namespace mmt::names
