// Serves a signal handler that interrupted its own thread inside the heap. It has blocks of a
// reserve, and a list of blocks to be freed when the heap is free again. Any thread, any time: no
// call waits, and each may be interrupted by another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/reentry/reserve.h>
#include <mmt/sync/counted_list.h>
#include <mmt/sync/take_all_list.h>

namespace mmt::reentry {

class Reentry {
 public:
  // nullptr: the reserve is used up, or cannot be had.
  void* allocate(size_t bytes, size_t alignment) {
    if (bytes > Reserve::kArena) return nullptr;
    if (alignment <= Reserve::kAlignment) {
      const uint32_t c = class_over(bytes);
      if (void* block = take(free_[c])) return block;
      if (void* block = take(aligned_[c])) return block;
      return reserve_.allocate(bytes_of(c));
    }
    if (alignment > Reserve::kArena) return nullptr;
    const uint32_t c = class_over(std::max(bytes, alignment));
    if (void* block = take(aligned_[c])) return block;
    return reserve_.allocate(bytes_of(c), bytes_of(c));
  }
  // A block of allocate(), which serves again.
  void free(void* block) {
    const uint32_t c = class_within(size_of(block));
    const bool is_aligned = c != 0 && reinterpret_cast<uintptr_t>(block) % bytes_of(c) == 0;
    put(block, (is_aligned ? aligned_ : free_)[c]);
  }
  // Whether there ever was a block.
  bool is_used() const { return reserve_.begin() != nullptr; }
  bool owns(const void* address) const { return reserve_.owns(address); }
  static size_t size_of(const void* block) { return Reserve::size_of(block); }

  // It takes a block of the heap's.
  void defer_free(void* block) {
    auto* const node = static_cast<Node*>(block);
    deferred_.add(node, [&](Node* next) { node->next = next; });
  }
  bool has_deferred() const { return !deferred_.empty(); }
  // Calls free for each.
  template <class Free>
  void take_deferred(Free&& free) {
    Node* node = deferred_.take_all();
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

  // The free blocks of the reserve lie in lists. There is one for each power of two from 16 bytes
  // on, and another for its blocks that lie at a multiple of their size. A block's link is its
  // place in units of 16 bytes from the arena's begin, plus 1.
  static constexpr uint32_t kClasses = std::bit_width(Reserve::kArena) - 4;
  static constexpr size_t kUnit = Reserve::kAlignment;

  static uint32_t class_over(size_t bytes) {
    return bytes <= kUnit ? 0 : static_cast<uint32_t>(std::bit_width((bytes - 1) / kUnit));
  }
  static uint32_t class_within(size_t bytes) {
    return static_cast<uint32_t>(std::bit_width(bytes / kUnit)) - 1;
  }
  static size_t bytes_of(uint32_t c) { return kUnit << c; }

  char* block_at(uint32_t link) const { return reserve_.begin() + size_t{link - 1} * kUnit; }
  auto link_of() const {
    return [this](uint32_t link) -> sync::CountedList<>::Link& {
      return *reinterpret_cast<sync::CountedList<>::Link*>(block_at(link));
    };
  }
  void* take(sync::CountedList<>& list) {
    const uint32_t link = list.take(link_of());
    return link == 0 ? nullptr : block_at(link);
  }
  void put(void* block, sync::CountedList<>& list) {
    const auto offset = static_cast<size_t>(static_cast<char*>(block) - reserve_.begin());
    list.put(static_cast<uint32_t>(offset / kUnit) + 1, link_of());
  }

  Reserve reserve_;
  sync::TakeAllList<Node*> deferred_;
  sync::CountedList<> free_[kClasses];
  sync::CountedList<> aligned_[kClasses];
};

}  // namespace mmt::reentry
