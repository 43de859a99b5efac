// These are sets of numbers. A sorted list and a hash set have nodes of 16 bytes, a red-black tree
// has nodes of 48. The function check() runs alone. It gives the number of elements, or -1 when the
// set is broken.
#pragma once

#include <cstdint>

#include "stm/common/rb_tree.h"
#include "stm/common/world.h"

namespace mmt::workloads::stm {

struct Node {
  uint64_t value;
  Node* next;
};
static_assert(sizeof(Node) == 16);

// Sorted, from the link to its first node.
class Chain {
 public:
  template <class Tx>
  static bool contains(Tx& tx, Node** link, uint64_t value) {
    Node* const node = tx.read(*before(tx, link, value));
    return node != nullptr && tx.read(node->value) == value;
  }
  template <class Tx>
  static bool insert(Tx& tx, Node** link, uint64_t value) {
    link = before(tx, link, value);
    Node* const next = tx.read(*link);
    if (next != nullptr && tx.read(next->value) == value) return false;
    Node* const node = static_cast<Node*>(tx.allocate(sizeof(Node)));
    *node = {value, next};
    tx.write(*link, node);
    return true;
  }
  template <class Tx>
  static bool remove(Tx& tx, Node** link, uint64_t value) {
    link = before(tx, link, value);
    Node* const node = tx.read(*link);
    if (node == nullptr || tx.read(node->value) != value) return false;
    tx.write(*link, tx.read(node->next));
    tx.free(node, sizeof(Node));
    return true;
  }
  static int64_t check(const Node* node) {
    int64_t count = 0;
    for (; node != nullptr; node = node->next, ++count) {
      if (node->next != nullptr && node->next->value <= node->value) return -1;
    }
    return count;
  }
  static void clear(Node* node) {
    while (node != nullptr) {
      Node* const next = node->next;
      plain_free(node);
      node = next;
    }
  }

 private:
  template <class Tx>
  static Node** before(Tx& tx, Node** link, uint64_t value) {
    for (Node* node = tx.read(*link); node != nullptr; node = tx.read(*link)) {
      if (tx.read(node->value) >= value) break;
      link = &node->next;
    }
    return link;
  }
};

class ListSet {
 public:
  ~ListSet() { Chain::clear(first_); }
  template <class Tx>
  bool contains(Tx& tx, uint64_t value) {
    return Chain::contains(tx, &first_, value);
  }
  template <class Tx>
  bool insert(Tx& tx, uint64_t value) {
    return Chain::insert(tx, &first_, value);
  }
  template <class Tx>
  bool remove(Tx& tx, uint64_t value) {
    return Chain::remove(tx, &first_, value);
  }
  int64_t check() const { return Chain::check(first_); }

 private:
  Node* first_ = nullptr;
};

class HashSet {
 public:
  HashSet() : buckets_(static_cast<Node**>(plain_allocate(kBuckets * sizeof(Node*)))) {
    for (size_t i = 0; i < kBuckets; ++i) buckets_[i] = nullptr;
  }
  ~HashSet() {
    for (size_t i = 0; i < kBuckets; ++i) Chain::clear(buckets_[i]);
    plain_free(buckets_);
  }
  HashSet(const HashSet&) = delete;
  HashSet& operator=(const HashSet&) = delete;
  template <class Tx>
  bool contains(Tx& tx, uint64_t value) {
    return Chain::contains(tx, bucket_of(value), value);
  }
  template <class Tx>
  bool insert(Tx& tx, uint64_t value) {
    return Chain::insert(tx, bucket_of(value), value);
  }
  template <class Tx>
  bool remove(Tx& tx, uint64_t value) {
    return Chain::remove(tx, bucket_of(value), value);
  }
  int64_t check() const {
    int64_t sum = 0;
    for (size_t i = 0; i < kBuckets; ++i) {
      const int64_t count = Chain::check(buckets_[i]);
      if (count < 0) return -1;
      sum += count;
    }
    return sum;
  }

 private:
  static constexpr size_t kBuckets = size_t{1} << 17;

  Node** bucket_of(uint64_t value) {
    return &buckets_[static_cast<uint32_t>(value) * uint32_t{2654435761} % kBuckets];
  }

  Node** buckets_;
};

class TreeSet {
 public:
  TreeSet() : tree_(rb_create(plain_)) {}
  ~TreeSet() { rb_destroy(plain_, tree_); }
  TreeSet(const TreeSet&) = delete;
  TreeSet& operator=(const TreeSet&) = delete;
  template <class Tx>
  bool contains(Tx& tx, uint64_t value) {
    return rb_find(tx, tree_, value) != nullptr;
  }
  template <class Tx>
  bool insert(Tx& tx, uint64_t value) {
    return rb_insert(tx, tree_, value, this);
  }
  template <class Tx>
  bool remove(Tx& tx, uint64_t value) {
    return rb_remove(tx, tree_, value) != nullptr;
  }
  int64_t check() const {
    if (rb_black_height(tree_->root) < 0) return -1;
    int64_t count = 0;
    rb_visit(tree_->root, [&](const RbNode&) { ++count; });
    return count;
  }

 private:
  Plain plain_;
  RbTree* tree_;
};

}  // namespace mmt::workloads::stm
