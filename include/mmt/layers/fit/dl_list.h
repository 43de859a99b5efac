// A doubly linked list through the free blocks themselves, first in first out: any block leaves it
// in constant time. A dictionary of AdaptHeap for blocks of one size. One thread may use it.
#pragma once

#include <cstddef>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>

namespace mmt::layers {

class DlList {
 public:
  struct Node {
    Node* next;  // the one that came before, in time
    Node* prev;
  };
  static constexpr size_t kLeastBlock = sizeof(Node);
  static constexpr bool kBySize = false;

  constexpr DlList() = default;
  DlList(const DlList&) = delete;
  DlList& operator=(const DlList&) = delete;

  bool is_empty() const { return head_.prev == &head_; }
  // Whether it is the only one.
  bool is_alone(const void* block) const { return head_.next == block && head_.prev == block; }
  // The list must not be empty.
  void* oldest() const { return head_.prev; }

  void insert(void* block) {
    auto* node = static_cast<Node*>(block);
    Node* first = head_.next;
    MMT_DEBUG_CHECK(first->prev == &head_, "DlList: a free block was written to",
                    reinterpret_cast<uintptr_t>(first));
    node->next = first;
    node->prev = &head_;
    first->prev = node;
    head_.next = node;
  }
  // The oldest block; null when there is none.
  void* take() {
    if (is_empty()) return nullptr;
    void* block = oldest();
    remove(block);
    return block;
  }
  // The block is taken out of the list that it is in.
  static void remove(void* block) {
    auto* node = static_cast<Node*>(block);
    Node* next = node->next;
    Node* prev = node->prev;
    MMT_DEBUG_CHECK(next->prev == node && prev->next == node, "DlList: a free block was written to",
                    reinterpret_cast<uintptr_t>(node));
    next->prev = prev;
    prev->next = next;
  }
  void forget() { head_ = {&head_, &head_}; }

  // visit(block), the oldest last; false at links that do not fit together.
  template <class Visit>
  bool for_each(Visit visit) const {
    for (Node* node = head_.next; node != &head_; node = node->next) {
      if (node->next->prev != node || node->prev->next != node) return false;
      visit(static_cast<void*>(node));
    }
    return true;
  }

 private:
  Node head_{&head_, &head_};
};

}  // namespace mmt::layers
