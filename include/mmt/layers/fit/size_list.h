// This is a list of free blocks in order of size, those of one size first in first out. The list
// gives out the smallest block that is large enough. The oldest block of each size leads those of
// its size. The leaders are linked among themselves, so that a search steps over each size once.
// The list is a dictionary of AdaptHeap. It is for one thread.
#pragma once

#include <cstddef>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>

namespace mmt::layers {

class SizeList {
 public:
  struct Node {
    Node* next;  // larger, or of the same size and younger
    Node* prev;
    Node* larger;  // the next leader; null: this is none
    Node* smaller;
  };
  static constexpr size_t kLeastBlock = sizeof(Node);
  static constexpr bool kBySize = true;

  constexpr SizeList() = default;
  SizeList(const SizeList&) = delete;
  SizeList& operator=(const SizeList&) = delete;

  bool is_empty() const { return head_.next == &head_; }

  template <class Sizes>
  void insert(void* block, const Sizes& sizes) {
    auto* node = static_cast<Node*>(block);
    const size_t size = sizes.get_size(block);
    Node* leader = leader_for(size, sizes);
    if (leader != &head_ && sizes.get_size(leader) == size) {
      node->larger = nullptr;
      return link_before(leader->larger, node);
    }
    node->larger = leader;
    node->smaller = leader->smaller;
    leader->smaller->larger = node;
    leader->smaller = node;
    link_before(leader, node);
  }

  // The smallest block of at least that size; null when there is none.
  template <class Sizes>
  void* take(size_t size, const Sizes& sizes) {
    Node* leader = leader_for(size, sizes);
    if (leader == &head_) return nullptr;
    remove(leader);
    return leader;
  }

  // The block is taken out of the list that it is in. That may also be a DlList, if set_loose() has
  // been called.
  static void remove(void* block) {
    auto* node = static_cast<Node*>(block);
    Node* next = node->next;
    Node* prev = node->prev;
    MMT_DEBUG_CHECK(next->prev == node && prev->next == node,
                    "SizeList: a free block was written to", reinterpret_cast<uintptr_t>(node));
    next->prev = prev;
    prev->next = next;
    if (node->larger == nullptr) return;
    Node* larger = node->larger;
    Node* smaller = node->smaller;
    if (next == larger) {
      larger->smaller = smaller;
      smaller->larger = larger;
    } else {
      next->larger = larger;
      next->smaller = smaller;
      larger->smaller = smaller->larger = next;
    }
  }
  static void set_loose(void* block) { static_cast<Node*>(block)->larger = nullptr; }
  void forget() { head_ = {&head_, &head_, &head_, &head_}; }

  // visit(block) in order; false at links that do not fit together.
  template <class Visit>
  bool for_each(Visit visit) const {
    const Node* leader = &head_;
    for (Node* node = head_.next; node != &head_; node = node->next) {
      if (node->next->prev != node || node->prev->next != node) return false;
      if (node->larger != nullptr) {
        if (leader->larger != node || node->smaller != leader) return false;
        leader = node;
      }
      visit(static_cast<void*>(node));
    }
    return leader->larger == &head_ && head_.smaller == leader;
  }

 private:
  template <class Sizes>
  Node* leader_for(size_t size, const Sizes& sizes) {
    Node* leader = head_.larger;
    while (leader != &head_ && sizes.get_size(leader) < size) leader = leader->larger;
    return leader;
  }
  static void link_before(Node* next, Node* node) {
    Node* prev = next->prev;
    node->next = next;
    node->prev = prev;
    prev->next = node;
    next->prev = node;
  }

  Node head_{&head_, &head_, &head_, &head_};
};

}  // namespace mmt::layers
