#pragma once
// Some calls come before the dynamic linker has relocated this library. A library that is relocated
// before us may choose among its functions by code of its own (IFUNC), and that code may allocate.
//
// Until then nothing here may be found by the table of offsets. That excludes functions of other
// libraries, thread-local variables, and names that another library could define. No pointer in
// data is right yet either. So such calls are answered by what needs none of these, from blocks
// that stay ours for good. There is one thread.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/core/never_destroyed.h>
#include <mmt/reentry/reentry.h>

namespace mmt::names {

// Its own address, once the dynamic linker has put it there. Volatile, as a compiler knows better.
[[gnu::visibility("hidden")]] inline constinit const volatile void* const volatile own_place =
    &own_place;
// Relaxed: both values are found out to be right.
[[gnu::visibility("hidden")]] inline constinit std::atomic<bool> was_relocated{false};

// Whether this library has not been relocated yet.
inline bool find_if_early() {
  if (own_place != &own_place) return true;
  was_relocated.store(true, std::memory_order_relaxed);
  return false;
}
MMT_ALWAYS_INLINE bool is_early() {
  return MMT_UNLIKELY(!was_relocated.load(std::memory_order_relaxed)) && find_if_early();
}

// Blocks that were given out before the relocation. Any thread may free, measure and resize them at
// any time. A block that is freed serves again as long as there is somebody to be served.
class EarlyBlocks {
 public:
  // nullptr: too much. errno cannot be set yet.
  MMT_COLD void* allocate(size_t bytes, size_t alignment = kLeastAlignment) {
    for (reentry::Reentry& arena : arenas_) {
      if (void* const block = arena.allocate(bytes, alignment)) return block;
    }
    return nullptr;
  }
  MMT_COLD void* allocate_zeroed(size_t bytes) {
    void* const block = allocate(bytes);
    if (block != nullptr) zero(block, bytes);
    return block;
  }
  // The block may be null, and the size may be 0.
  MMT_COLD void* reallocate(void* block, size_t bytes) {
    if (block == nullptr) return allocate(bytes);
    if (bytes == 0) return free(block), nullptr;
    if (!owns(block)) return nullptr;
    const size_t size = size_of(block);
    if (bytes <= size) return block;
    void* const moved = allocate(bytes);
    if (moved == nullptr) return nullptr;
    copy(moved, block, size);
    free(block);
    return moved;
  }

  bool is_used() const { return arenas_[0].is_used(); }
  MMT_ALWAYS_INLINE bool owns(const void* block) const {
    return MMT_UNLIKELY(is_used()) && arena_of(block) != kArenas;
  }
  static size_t size_of(const void* block) { return reentry::Reentry::size_of(block); }
  // Anything else is let go.
  MMT_COLD void free(void* block) {
    const size_t at = arena_of(block);
    if (at != kArenas) arenas_[at].free(block);
  }

 private:
  static constexpr size_t kArenas = 16;
  static constexpr size_t kLeastAlignment = reentry::Reserve::kAlignment;

  MMT_NOINLINE size_t arena_of(const void* block) const {
    size_t at = 0;
    while (at != kArenas && !arenas_[at].owns(block)) ++at;
    return at;
  }
  // It goes by words, which blocks are made of. A compiler must not take these loops for memcpy and
  // memset: ours find libc's for large sizes, by pointers.
  using Word [[gnu::may_alias]] = uint64_t;
  static void copy(void* to, const void* from, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof(Word); ++i) {
      static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
      asm volatile("" : : : "memory");
    }
  }
  static void zero(void* to, size_t bytes) {
    for (size_t i = 0; i < (bytes + sizeof(Word) - 1) / sizeof(Word); ++i) {
      static_cast<Word*>(to)[i] = 0;
      asm volatile("" : : : "memory");
    }
  }

  reentry::Reentry arenas_[kArenas];
};

MMT_NO_DESTROY [[gnu::visibility("hidden")]] inline constinit core::NeverDestroyed<EarlyBlocks>
    kept_early_blocks;
inline EarlyBlocks& early_blocks() { return kept_early_blocks.value; }

}  // namespace mmt::names
