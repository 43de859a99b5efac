// A last-in first-out list through the free blocks themselves. One thread may use it.
#pragma once

#include <cstddef>

namespace mmt::layers {

class FreeList {
 public:
  struct Node {
    Node* next;
  };
  static constexpr size_t kLeastBlock = sizeof(Node);

  FreeList() = default;
  FreeList(const FreeList&) = delete;
  FreeList& operator=(const FreeList&) = delete;

  bool is_empty() const { return head_ == nullptr; }
  void push(void* block) {
    auto* node = static_cast<Node*>(block);
    node->next = head_;
    head_ = node;
  }
  // The list must not be empty.
  void* pop() {
    Node* node = head_;
    head_ = node->next;
    return node;
  }
  void forget() { head_ = nullptr; }
  // It takes a walk.
  size_t count() const {
    size_t n = 0;
    for (const Node* node = head_; node != nullptr; node = node->next) ++n;
    return n;
  }

 private:
  Node* head_ = nullptr;
};

}  // namespace mmt::layers
