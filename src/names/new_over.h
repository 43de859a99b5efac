#pragma once
// operator new over the process's heap P. When memory is short it calls the program's new-handler
// until that helps, and in the end throws std::bad_alloc or returns null.
#include <bit>
#include <cstddef>

#include <mmt/core/compiler.h>

#include "names/call.h"
#include "names/cxx_runtime.h"
#include "names/translate.h"

namespace mmt::names {

template <IsProcessHeap P>
struct NewOver {
  using Heap = Translate<P>;
  using Q = Asked<P>;
  using Call = CallOf<P>;

  static MMT_ALWAYS_INLINE void* plain(size_t bytes, Call call) {
    if (Heap::comes_early()) return slow(bytes, call);
    return Q::allocate_or(
        bytes, [call](size_t all) { return slow(all, call); }, call);
  }
  static MMT_ALWAYS_INLINE void* nothrow(size_t bytes, Call call) {
    if (Heap::comes_early()) return slow_nothrow(bytes, call);
    return Q::allocate_or(
        bytes, [call](size_t all) { return slow_nothrow(all, call); }, call);
  }

  // As the C++ runtime: an alignment that is none is an error that no handler can mend.
  static void* aligned(size_t bytes, size_t alignment, Call call) {
    if (MMT_UNLIKELY(!std::has_single_bit(alignment))) throw_bad_alloc();
    if (bytes == 0) bytes = kLeast;
    void* block = Heap::allocate_aligned(alignment, bytes, call);
    if (MMT_LIKELY(block != nullptr)) return block;
    return retry([=] { return Heap::allocate_aligned(alignment, bytes, call); });
  }
  static void* aligned_nothrow(size_t bytes, size_t alignment, Call call) {
    if (MMT_UNLIKELY(!std::has_single_bit(alignment))) return nullptr;
    if (bytes == 0) bytes = kLeast;
    void* block = Heap::allocate_aligned(alignment, bytes, call);
    if (MMT_LIKELY(block != nullptr) || is_early()) return block;
    return runtime_new_aligned(bytes, alignment);
  }

 private:
  // An allocator may give null for no bytes, but new must not.
  static constexpr size_t kLeast = 1;

  static MMT_NOINLINE void* slow(size_t bytes, Call call) {
    if (bytes == 0) bytes = kLeast;
    void* block = Heap::allocate_slow(bytes, call);
    if (MMT_LIKELY(block != nullptr)) return block;
    return retry([=] { return Heap::allocate_slow(bytes, call); });
  }
  static MMT_NOINLINE void* slow_nothrow(size_t bytes, Call call) {
    if (bytes == 0) bytes = kLeast;
    void* block = Heap::allocate_slow(bytes, call);
    if (MMT_LIKELY(block != nullptr) || is_early()) return block;
    return runtime_new(bytes);
  }

  // Runs new-handlers, which may throw, until attempt() succeeds.
  template <class Attempt>
  static void* retry(Attempt&& attempt) {
    if (is_early()) __builtin_trap();  // nobody can be asked yet, nor told
    while (NewHandler handler = current_new_handler()) {
      handler();
      if (void* block = attempt()) return block;
    }
    throw_bad_alloc();
  }
};

}  // namespace mmt::names
