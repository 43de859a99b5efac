#pragma once
// From the malloc ABI to the process's heap P (process_heap.h): errno, limits and null handling as
// glibc 2.36 has them.
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>

#include "names/call.h"
#include "names/early.h"
#include "names/next.h"
#include "names/perturb.h"
#include "names/process_heap.h"

namespace mmt::names {

// What valloc and pvalloc speak of.
inline constexpr size_t kPageSize = 4096;

template <IsProcessHeap P>
struct Translate {
  using Q = Asked<P>;
  using Call = CallOf<P>;
  // Blocks larger than this are refused, so that pointer differences never overflow.
  static constexpr size_t kMaxRequest = PTRDIFF_MAX;

  MMT_COLD static void* out_of_memory() {
    errno = ENOMEM;
    return nullptr;
  }

  // Whether a call is answered by early.h, where P's fast paths do not know by themselves.
  static MMT_ALWAYS_INLINE bool comes_early() {
    if constexpr (requires { requires P::kIsClosedAtFirst; }) return false;
    return is_early();
  }
  static MMT_ALWAYS_INLINE bool is_of_early(void* block) {
    return is_early() || early_blocks().owns(block);
  }

  MMT_NOINLINE static void* allocate_slow(size_t bytes, Call call = {}) {
    if (is_early()) return early_blocks().allocate(bytes);
    if (bytes > kMaxRequest) return out_of_memory();
    void* const block =
        is_perturbing() ? allocate_filled(bytes, call) : Q::allocate_slow(bytes, call);
    return MMT_LIKELY(block != nullptr) ? block : out_of_memory();
  }

  MMT_NOINLINE static void deallocate_slow(void* block, Call call = {}) {
    if (is_of_early(block)) return early_blocks().free(block);
    const bool is_ours =
        is_perturbing() ? deallocate_filled(block, call) : Q::deallocate_slow(block, call);
    if (!is_ours) next_free(block);
  }

  MMT_COLD static void* allocate_filled(size_t bytes, Call call) {
    if constexpr (requires { P::template allocate_checked<Perturb<P>>(bytes); })
      return P::template allocate_checked<Perturb<P>>(bytes);
    void* const block = Q::allocate_slow(bytes, call);
    Perturb<P>::fill_new(block);
    return block;
  }
  MMT_COLD static bool deallocate_filled(void* block, Call call) {
    if constexpr (requires { P::template deallocate_checked<Perturb<P>>(block); })
      return P::template deallocate_checked<Perturb<P>>(block);
    if (P::owns(block)) Perturb<P>::fill_freed(block);
    return Q::deallocate_slow(block, call);
  }

  // Nothing is left to do for a P that answers as malloc does, errno and limits included.
  static MMT_ALWAYS_INLINE void* allocate(size_t bytes, Call call = {}) {
    if (comes_early()) return allocate_slow(bytes, call);
    if constexpr (requires { P::allocate_whole(bytes); }) return P::allocate_whole(bytes);
    return Q::allocate_or(
        bytes, [call](size_t all) { return allocate_slow(all, call); }, call);
  }

  static MMT_ALWAYS_INLINE void deallocate(void* block, Call call = {}) {
    if constexpr (!requires { requires P::kIsClosedAtFirst; })
      if (is_of_early(block)) return deallocate_slow(block, call);
    Q::deallocate_or(
        block, [call](void* one) { deallocate_slow(one, call); }, call);
  }

  static void* allocate_zeroed(size_t count, size_t size, Call call = {}) {
    size_t bytes;
    const bool is_too_much = !core::checked_multiply(count, size, &bytes) || bytes > kMaxRequest;
    if (is_early()) return is_too_much ? nullptr : early_blocks().allocate_zeroed(bytes);
    if (is_too_much) return out_of_memory();
    void* block = Q::allocate_zeroed(bytes, call);
    return block != nullptr ? block : out_of_memory();
  }

  // `alignment` need not be a power of two: glibc's memalign rounds it up.
  static void* allocate_aligned(size_t alignment, size_t bytes, Call call = {}) {
    if (is_early()) return allocate_aligned_early(alignment, bytes);
    if (alignment > SIZE_MAX / 2 + 1) {
      errno = EINVAL;
      return nullptr;
    }
    if (alignment > kMaxRequest || bytes > kMaxRequest - alignment) return out_of_memory();
    void* block = Q::allocate_aligned(bytes, std::bit_ceil(alignment), call);
    if (is_perturbing()) Perturb<P>::fill_new(block);
    return block != nullptr ? block : out_of_memory();
  }

  MMT_COLD static void* allocate_aligned_early(size_t alignment, size_t bytes) {
    if (alignment > kMaxRequest) return nullptr;
    return early_blocks().allocate(bytes, std::max<size_t>(std::bit_ceil(alignment), 16));
  }

  static int allocate_aligned_posix(void** result, size_t alignment, size_t bytes, Call call = {}) {
    if (alignment % sizeof(void*) != 0 || !std::has_single_bit(alignment)) return EINVAL;
    if (is_early()) {
      void* const block = allocate_aligned_early(alignment, bytes);
      return block != nullptr ? (*result = block, 0) : ENOMEM;
    }
    const int saved = errno;
    void* block = allocate_aligned(alignment, bytes, call);
    if (block == nullptr) return ENOMEM;  // errno says so too, as with glibc
    errno = saved;
    *result = block;
    return 0;
  }

  static void* allocate_page_aligned(size_t bytes, Call call = {}) {
    return allocate_aligned(kPageSize, bytes, call);
  }

  static void* allocate_pages(size_t bytes, Call call = {}) {
    if (bytes > kMaxRequest - kPageSize) return is_early() ? nullptr : out_of_memory();
    return allocate_aligned(kPageSize, core::align_up(bytes, kPageSize), call);
  }

  // The block's new place, filled where it grows, and the former one as free would fill it. One
  // that does not grow is P's to leave where it is, also when there is no memory to move it.
  MMT_COLD static void* reallocate_perturbed(void* block, size_t bytes, Call call) {
    const size_t before = Q::usable_size(block, call);
    if (before == 0) return Q::reallocate(block, bytes, call);  // P knows no sizes
    if (bytes <= before) {
      Perturb<P>::fill_cut(block, bytes);
      void* const shrunk = Q::reallocate(block, bytes, call);
      return shrunk != nullptr ? shrunk : block;
    }
    void* moved = allocate(bytes, call);
    if (moved == nullptr) return nullptr;
    memcpy(moved, block, before < bytes ? before : bytes);
    deallocate(block, call);
    return moved;
  }

  // The block goes to the heap, now that there is one.
  MMT_COLD static void* reallocate_early(void* block, size_t bytes, Call call) {
    if (is_early()) return early_blocks().reallocate(block, bytes);
    void* moved = nullptr;
    if (bytes != 0) {
      const size_t before = EarlyBlocks::size_of(block);
      moved = allocate(bytes, call);
      if (moved == nullptr) return nullptr;
      memcpy(moved, block, before < bytes ? before : bytes);
    }
    early_blocks().free(block);
    return moved;
  }

  // Apart, as in place it would take more of the stack.
  MMT_NOINLINE static void* release(void* block, Call call) {
    deallocate(block, call);
    return nullptr;
  }

  static void* reallocate(void* block, size_t bytes, Call call = {}) {
    if (is_of_early(block)) return reallocate_early(block, bytes, call);
    if (block == nullptr) return allocate(bytes, call);
    if (!P::owns(block)) return next_realloc(block, bytes);
    if (bytes == 0) return release(block, call);
    if (bytes > kMaxRequest) return out_of_memory();
    if (is_perturbing()) return reallocate_perturbed(block, bytes, call);
    void* moved = Q::reallocate(block, bytes, call);
    return moved != nullptr ? moved : out_of_memory();
  }

  static void* reallocate_array(void* block, size_t count, size_t size, Call call = {}) {
    size_t bytes;
    if (!core::checked_multiply(count, size, &bytes)) return is_early() ? nullptr : out_of_memory();
    return reallocate(block, bytes, call);
  }

  static size_t usable_size(void* block, Call call = {}) {
    if (block == nullptr) return 0;
    if (is_of_early(block)) return early_blocks().owns(block) ? EarlyBlocks::size_of(block) : 0;
    return P::owns(block) ? Q::usable_size(block, call) : next_usable_size(block);
  }
};

}  // namespace mmt::names
