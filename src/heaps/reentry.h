#pragma once
// What a signal handler is served with that interrupted its own thread inside the heap: blocks of
// an arena that only grows, and a list of blocks to be freed when the heap is free again. Any
// thread.
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>

namespace mmt::heaps {

class Reentry {
 public:
  static constexpr size_t kArena = size_t{64} << 20;  // of address space; memory as it is used

  // nullptr: the arena is used up, or cannot be had.
  void* allocate(size_t bytes, size_t alignment) {
    char* const arena = open();
    if (arena == nullptr || bytes > kArena || alignment > kArena) return nullptr;
    size_t used = used_.load(std::memory_order_relaxed);
    for (;;) {
      const uintptr_t from = reinterpret_cast<uintptr_t>(arena) + used + kHeader;
      const uintptr_t block = core::align_up(from, alignment);
      const size_t end = block + core::align_up(bytes, layers::kBlockAlignment) -
                         reinterpret_cast<uintptr_t>(arena);
      if (end > kArena) return nullptr;
      // Relaxed: it hands out addresses, and nothing is found by it.
      if (!used_.compare_exchange_weak(used, end, std::memory_order_relaxed)) continue;
      auto* result = reinterpret_cast<char*>(block);
      *reinterpret_cast<size_t*>(result - sizeof(size_t)) = bytes;
      return result;
    }
  }
  bool owns(const void* address) const {
    const char* arena = arena_.load(std::memory_order_relaxed);
    return arena != nullptr && address >= arena && address < arena + kArena;
  }
  static size_t size_of(const void* block) { return static_cast<const size_t*>(block)[-1]; }

  void defer_free(void* block) {
    auto* node = static_cast<Node*>(block);
    node->next = deferred_.load(std::memory_order_relaxed);
    // Release: the link is written before take_deferred() may find it.
    while (!deferred_.compare_exchange_weak(node->next, node, std::memory_order_release,
                                            std::memory_order_relaxed)) {
    }
  }
  bool has_deferred() const { return deferred_.load(std::memory_order_relaxed) != nullptr; }
  // Calls free for each.
  template <class Free>
  void take_deferred(Free&& free) {
    // Acquire: see defer_free().
    Node* node = deferred_.exchange(nullptr, std::memory_order_acquire);
    while (node != nullptr) {
      Node* const next = node->next;
      free(node);
      node = next;
    }
  }

 private:
  struct Node {
    Node* next;
  };
  static constexpr size_t kHeader = sizeof(size_t);

  MMT_COLD char* open() {
    char* seen = arena_.load(std::memory_order_acquire);
    if (seen != nullptr) return seen;
    void* mapped = ::mmap(nullptr, kArena, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    if (arena_.compare_exchange_strong(seen, static_cast<char*>(mapped))) {
      return static_cast<char*>(mapped);
    }
    ::munmap(mapped, kArena);
    return seen;
  }

  std::atomic<char*> arena_{nullptr};
  std::atomic<size_t> used_{0};
  std::atomic<Node*> deferred_{nullptr};
};

}  // namespace mmt::heaps
