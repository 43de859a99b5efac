#pragma once
// Goes before the plain library's: the process's heap, the same as there, with a pool of guarded
// places in front, behind the names of libmmt-guard.so.
#include <cstddef>

#include "guard/blocks.h"
#include "guard/call.h"
#include "guard/turns.h"
#include "harden/fault_signals.h"
#include "harden/process_end.h"
#include "harden/served_heap.h"
#include "heap/object/fast_path.h"
#include "heap/process/allocation.h"
#include "heap/process/block_run.h"
#include "names/process_heap.h"
#include "preload/whole_heap.h"

namespace mmt::names {

struct ProcessHeap : preload::WholeHeap {
  using Call = guard::Call;
  static constexpr bool kIsClosedAtFirst = true;  // by fast_sizes, and a region that has no block

  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow, Call = {}) {
    if (__builtin_constant_p(bytes) && bytes > store::kMaxSmallSize) return slow(bytes);
    if (MMT_UNLIKELY(!heap::fast_sizes.include(bytes))) return slow(bytes);
    if (guard::count_one()) return slow(bytes);
    heap::FastPart* const fast = heap::current_fast;
    return heap::pop_cached(fast, fast->class_of_step[(bytes + 15) / 16],
                            [&] { return slow(bytes); });
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow, Call = {}) {
    heap::deallocate_or(harden::served_heap().depot.region(), block, slow);
  }
  static void* allocate_slow(size_t bytes, Call call = {}) {
    if (guard::count_slow(bytes))
      if (void* const block = guard::allocate(bytes, 1, call.caller)) return block;
    return heap::allocate_slow(harden::served_heap(), bytes);
  }
  static bool deallocate_slow(void* block, Call call = {}) {
    if (MMT_LIKELY(!guard::owns(block))) return heap::deallocate_slow(harden::served_heap(), block);
    guard::deallocate(block, call.caller);
    return true;
  }
  // The pool's blocks keep what they hold.
  template <class Checks>
  static void* allocate_checked(size_t bytes) {
    return heap::allocate_checked<Checks>(harden::served_heap(), bytes);
  }
  template <class Checks>
  static bool deallocate_checked(void* block) {
    if (guard::owns(block)) return deallocate_slow(block);
    return heap::deallocate_checked<Checks>(harden::served_heap(), block);
  }
  static void* allocate_aligned(size_t bytes, size_t alignment, Call call = {}) {
    if (guard::count_one())
      if (void* const block = guard::allocate(bytes, alignment, call.caller)) return block;
    return heap::allocate_aligned(harden::served_heap(), bytes, alignment);
  }
  static void* allocate_zeroed(size_t bytes, Call call = {}) {
    if (guard::count_one())
      if (void* const block = guard::allocate_zeroed(bytes, call.caller)) return block;
    return heap::allocate_zeroed(harden::served_heap(), bytes);
  }
  static void* reallocate(void* block, size_t bytes, Call call = {}) {
    if (MMT_UNLIKELY(guard::owns(block))) return guard::move_out(block, bytes, call.caller);
    if (guard::count_one())
      if (void* const moved = guard::move_in(block, bytes, call.caller)) return moved;
    return heap::reallocate(harden::served_heap(), block, bytes);
  }
  static size_t usable_size(const void* block, Call = {}) {
    return guard::owns(block) ? guard::usable_size(block)
                              : heap::usable_size(harden::served_heap(), block);
  }
  static bool owns(const void* block) {
    return guard::owns(block) || heap::owns(harden::served_heap(), block);
  }
  static size_t deallocate_run(void* const* blocks, size_t count) {
    return heap::deallocate_run(harden::served_heap(), blocks, count);
  }
  // Guarded blocks are in use, too.
  static struct mallinfo2 info() {
    struct mallinfo2 all = WholeHeap::info();
    const size_t guarded = guard::pool.live_bytes();
    all.arena += guarded;
    all.uordblks += guarded;
    return all;
  }
  static void begin() {
    guard::begin();
    harden::watch_end();
    harden::watch_fault_signals();
  }
};

}  // namespace mmt::names
