#include "lrusim/lru_stack.h"

#include <algorithm>
#include <cstdlib>

#include "base/memory.h"

namespace mmt::workloads::classic::lrusim {

LruStack::LruStack() : buckets_(allocate_array<Node*>(kBuckets)) {
  std::fill(buckets_, buckets_ + kBuckets, nullptr);
}

LruStack::~LruStack() {
  for (size_t i = 0; i < kBuckets; ++i) {
    for (Node* node = buckets_[i]; node != nullptr;) {
      Node* next = node->chain;
      std::free(node);
      node = next;
    }
  }
  std::free(buckets_);
}

LruStack::Node** LruStack::bucket_of(uint64_t page) const {
  return &buckets_[(page * 0x9E3779B97F4A7C15u) >> 50];
}

void LruStack::rotate_up(Node* node) {
  Node* parent = node->parent;
  Node* above = parent->parent;
  bool is_left = parent->left == node;
  Node* inner = is_left ? node->right : node->left;
  (is_left ? parent->left : parent->right) = inner;
  if (inner != nullptr) inner->parent = parent;
  (is_left ? node->right : node->left) = parent;
  parent->parent = node;
  node->parent = above;
  if (above != nullptr) (above->left == parent ? above->left : above->right) = node;
  update(parent);
}

void LruStack::splay(Node* node) {
  while (node->parent != nullptr) {
    Node* parent = node->parent;
    Node* above = parent->parent;
    if (above != nullptr) {
      bool straight = (above->left == parent) == (parent->left == node);
      rotate_up(straight ? parent : node);
    }
    rotate_up(node);
  }
  update(node);
}

uint64_t LruStack::use(uint64_t page) {
  Node** bucket = bucket_of(page);
  Node* node = *bucket;
  while (node != nullptr && node->page != page) node = node->chain;
  if (node == nullptr) {
    node = static_cast<Node*>(allocate(sizeof(Node)));
    *node = {nullptr, nullptr, nullptr, *bucket, page, 1};
    *bucket = node;
    ++pages_;
    add_newest(node);
    return 0;
  }
  splay(node);
  uint64_t distance = size_of(node->right) + 1;
  if (distance == 1) {
    root_ = node;
    return distance;
  }
  // Take the root out: the oldest of those right of it becomes the root.
  Node* older = node->left;
  Node* newer = node->right;
  newer->parent = nullptr;
  Node* oldest = newer;
  while (oldest->left != nullptr) oldest = oldest->left;
  splay(oldest);
  oldest->left = older;
  if (older != nullptr) older->parent = oldest;
  update(oldest);
  root_ = oldest;
  node->left = node->right = nullptr;
  add_newest(node);
  return distance;
}

void LruStack::add_newest(Node* node) {
  node->left = root_;
  if (root_ != nullptr) root_->parent = node;
  update(node);
  root_ = node;
}

// Walks in order by parents: the tree may be as deep as it is large.
bool LruStack::is_consistent() const {
  uint64_t count = 0;
  const Node* from = nullptr;
  for (const Node* node = root_; node != nullptr;) {
    const Node* before = from;
    from = node;
    if (before == node->parent) {  // Coming from above.
      uint64_t size = 1 + size_of(node->left) + size_of(node->right);
      if (node->size != size) return false;
      if (node->left != nullptr && node->left->parent != node) return false;
      if (node->right != nullptr && node->right->parent != node) return false;
      ++count;
      node = node->left != nullptr    ? node->left
             : node->right != nullptr ? node->right
                                      : node->parent;
    } else if (before == node->left && node->right != nullptr) {
      node = node->right;
    } else {
      node = node->parent;
    }
  }
  return count == pages_ && size_of(root_) == pages_;
}

}  // namespace mmt::workloads::classic::lrusim
