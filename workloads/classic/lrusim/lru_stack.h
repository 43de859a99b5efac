// The stack holds the pages of a trace in the order of their last use. It gives the stack distance
// of each reference: how many different pages were used since the page was used last, itself
// included. An LRU memory of that many pages, or more, would still have the page. The order is that
// of a splay tree, the oldest page leftmost. Each page has one node in the heap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmt::workloads::classic::lrusim {

class LruStack {
 public:
  LruStack();
  ~LruStack();
  LruStack(const LruStack&) = delete;
  LruStack& operator=(const LruStack&) = delete;

  // Uses a page. Its stack distance, from 1, or 0 when it is used for the first time.
  uint64_t use(uint64_t page);

  uint64_t pages() const { return pages_; }
  // Whether the tree has each page once, with right sizes and links. Takes time as all pages do.
  bool is_consistent() const;

 private:
  struct Node {
    Node* left;
    Node* right;
    Node* parent;
    Node* chain;  // The next page with the same hash.
    uint64_t page;
    uint64_t size;  // The subtree's.
  };

  static constexpr size_t kBuckets = 1 << 14;

  static uint64_t size_of(const Node* node) { return node == nullptr ? 0 : node->size; }
  static void update(Node* node) { node->size = 1 + size_of(node->left) + size_of(node->right); }
  static void rotate_up(Node* node);
  // Brings the node to the top of its tree.
  static void splay(Node* node);
  Node** bucket_of(uint64_t page) const;
  // Puts the node, which is in no tree and has no links, in the place of the newest.
  void add_newest(Node* node);

  Node* root_ = nullptr;
  Node** buckets_;
  uint64_t pages_ = 0;
};

}  // namespace mmt::workloads::classic::lrusim
