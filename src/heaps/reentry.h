#pragma once
// What a signal handler is served with that interrupted its own thread inside the heap: blocks of a
// reserve, which are not given out twice, and a list of blocks to be freed when the heap is free
// again. Any thread.
#include <atomic>
#include <cstddef>

#include <mmt/offload/reserve.h>

namespace mmt::heaps {

class Reentry {
 public:
  // nullptr: the reserve is used up, or cannot be had.
  void* allocate(size_t bytes, size_t alignment) { return reserve_.allocate(bytes, alignment); }
  bool owns(const void* address) const { return reserve_.owns(address); }
  static size_t size_of(const void* block) { return offload::Reserve::size_of(block); }

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

  offload::Reserve reserve_;
  std::atomic<Node*> deferred_{nullptr};
};

}  // namespace mmt::heaps
