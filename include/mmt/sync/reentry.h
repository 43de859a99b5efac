#pragma once
// What a signal handler is served with that interrupted its own thread inside the heap: blocks of a
// reserve, and a list of blocks to be freed when the heap is free again. Any thread, any time: no
// call waits, and each may be interrupted by another.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/reserve.h>

namespace mmt::sync {

class Reentry {
 public:
  // nullptr: the reserve is used up, or cannot be had.
  void* allocate(size_t bytes, size_t alignment) {
    if (bytes > Reserve::kArena) return nullptr;
    const uint32_t c = class_over(bytes);
    if (alignment <= Reserve::kAlignment) {
      if (void* block = take_listed(c)) return block;
    }
    return reserve_.allocate(bytes_of(c), std::max(alignment, Reserve::kAlignment));
  }
  // A block of allocate(), which serves again.
  void free(void* block) { put_on_list(class_within(size_of(block)), block); }
  // Whether there ever was a block.
  bool is_used() const { return reserve_.begin() != nullptr; }
  bool owns(const void* address) const { return reserve_.owns(address); }
  static size_t size_of(const void* block) { return Reserve::size_of(block); }

  // A block of the heap's.
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

  // Free blocks of the reserve: a list for each power of two from 16 bytes on. Its head is the
  // place of the first block in units of 16 bytes from the arena's begin, plus 1, and above that a
  // count of all changes, so that an exchange fails when the list has been another meanwhile.
  static constexpr uint32_t kClasses = std::bit_width(Reserve::kArena) - 4;
  static constexpr size_t kUnit = Reserve::kAlignment;

  static uint32_t class_over(size_t bytes) {
    return bytes <= kUnit ? 0 : static_cast<uint32_t>(std::bit_width((bytes - 1) / kUnit));
  }
  static uint32_t class_within(size_t bytes) {
    return static_cast<uint32_t>(std::bit_width(bytes / kUnit)) - 1;
  }
  static size_t bytes_of(uint32_t c) { return kUnit << c; }

  void* take_listed(uint32_t c) {
    // Acquire: the link that put_on_list() wrote.
    uint64_t head = free_[c].load(std::memory_order_acquire);
    for (;;) {
      const auto place = static_cast<uint32_t>(head);
      if (place == 0) return nullptr;
      char* const block = reserve_.begin() + size_t{place - 1} * kUnit;
      // The block may have been given out since: then the link is not one, and the exchange fails.
      const uint32_t next = link_of(block).load(std::memory_order_relaxed);
      if (free_[c].compare_exchange_weak(head, changed(head, next), std::memory_order_acquire)) {
        return block;
      }
    }
  }
  void put_on_list(uint32_t c, void* block) {
    const auto offset = static_cast<size_t>(static_cast<char*>(block) - reserve_.begin());
    const auto place = static_cast<uint32_t>(offset / kUnit) + 1;
    uint64_t head = free_[c].load(std::memory_order_relaxed);
    do {
      link_of(block).store(static_cast<uint32_t>(head), std::memory_order_relaxed);
      // Release: the link before the block can be found.
    } while (!free_[c].compare_exchange_weak(head, changed(head, place), std::memory_order_release,
                                             std::memory_order_relaxed));
  }
  static std::atomic<uint32_t>& link_of(void* block) {
    return *static_cast<std::atomic<uint32_t>*>(block);
  }
  static uint64_t changed(uint64_t head, uint32_t place) {
    return (((head >> 32) + 1) << 32) | place;
  }

  Reserve reserve_;
  std::atomic<Node*> deferred_{nullptr};
  std::atomic<uint64_t> free_[kClasses]{};
};

}  // namespace mmt::sync
