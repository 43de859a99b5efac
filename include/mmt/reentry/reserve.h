// Where memory comes from when the heap cannot be asked: blocks of an arena that only grows, with
// their size in the word before them. A caller that frees one keeps it for the next. Any thread may
// call it.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>

namespace mmt::reentry {

class Reserve {
 public:
  // The reserve takes so much address space at the first use, and memory as it is touched. Beyond
  // it clients wait.
  static constexpr size_t kArena = size_t{64} << 20;
  static constexpr size_t kAlignment = alignof(std::max_align_t);

  constexpr Reserve() = default;
  Reserve(const Reserve&) = delete;
  Reserve& operator=(const Reserve&) = delete;
  ~Reserve() {
    if (void* arena = arena_.load(std::memory_order_relaxed)) unmap(arena);
  }

  // nullptr: the arena is used up, or cannot be had.
  void* allocate(size_t bytes, size_t alignment = kAlignment) {
    char* const arena = open();
    if (arena == nullptr || bytes > kArena || alignment > kArena) return nullptr;
    const auto base = reinterpret_cast<uintptr_t>(arena);
    const size_t room = core::align_up(bytes == 0 ? 1 : bytes, kAlignment);
    // Relaxed: only addresses are shared out, and nothing is found by them.
    size_t used = used_.load(std::memory_order_relaxed);
    size_t block;
    do {
      block = core::align_up(base + used + sizeof(size_t), alignment) - base;
      if (block + room > kArena) return nullptr;
    } while (!used_.compare_exchange_weak(used, block + room, std::memory_order_relaxed));
    *reinterpret_cast<size_t*>(arena + block - sizeof(size_t)) = room;
    return arena + block;
  }

  bool owns(const void* address) const {
    // One comparison is enough for nearly all.
    const auto arena = reinterpret_cast<uintptr_t>(arena_.load(std::memory_order_relaxed));
    return MMT_UNLIKELY(reinterpret_cast<uintptr_t>(address) - arena < kArena) && arena != 0;
  }
  // Where the arena begins, which a block of it shows to be there.
  char* begin() const { return arena_.load(std::memory_order_relaxed); }
  size_t used() const { return used_.load(std::memory_order_relaxed); }
  static size_t size_of(const void* block) { return static_cast<const size_t*>(block)[-1]; }
  // What used() rose by for a block on the usual boundary.
  static size_t taken_by(const void* block) { return size_of(block) + kAlignment; }

 private:
  char* open() {
    // Acquire and release of the exchange: nothing lies in the mapping yet; for the rule's sake.
    char* seen = arena_.load(std::memory_order_acquire);
    return MMT_LIKELY(seen != nullptr) ? seen : map();
  }
  MMT_COLD char* map() {
    // The call itself: another mmap, of the program's, may allocate, and be served from here.
    const long mapped = core::raw_syscall(SYS_mmap, 0, kArena, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped < 0 && mapped > -4096) return nullptr;
    auto* const arena = reinterpret_cast<char*>(mapped);
    char* seen = nullptr;
    if (arena_.compare_exchange_strong(seen, arena)) return arena;
    unmap(arena);
    return seen;
  }
  static void unmap(void* arena) {
    core::raw_syscall(SYS_munmap, reinterpret_cast<long>(arena), kArena);
  }

  std::atomic<char*> arena_{nullptr};
  std::atomic<size_t> used_{0};
};

}  // namespace mmt::reentry
