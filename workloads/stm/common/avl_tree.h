// An AVL tree of pointers without duplicates: header 24 bytes, node 32. `compare` says below 0, 0
// or above; data keep what it looks at. avl_map.h maps keys to values by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "stm/common/list.h"

namespace mmt::workloads::stm {

struct AvlNode {
  void* data;
  AvlNode* child[2];
  int64_t height;  // of a leaf: 1
};

struct AvlTree {
  AvlNode* root;
  Compare compare;
  size_t size;
};
static_assert(sizeof(AvlTree) == 24 && sizeof(AvlNode) == 32);

inline constexpr size_t kAvlDeepest = 96;  // levels: more than memory has room for

template <class Tx>
AvlTree* avl_create(Tx& tx, Compare compare) {
  AvlTree* const tree = static_cast<AvlTree*>(tx.allocate(sizeof(AvlTree)));
  *tree = {nullptr, compare, 0};
  return tree;
}

template <class Tx>
void* avl_find(Tx& tx, AvlTree* tree, const void* data) {
  for (AvlNode* node = tx.read(tree->root); node != nullptr;) {
    void* const here = tx.read(node->data);
    const long order = tree->compare(data, here);
    if (order == 0) return here;
    node = tx.read(node->child[order > 0]);
  }
  return nullptr;
}

template <class Tx>
int64_t avl_height(Tx& tx, AvlNode* node) {
  return node == nullptr ? 0 : tx.read(node->height);
}

// Sets the height of `node` by its children's; true when it was another.
template <class Tx>
bool avl_measure(Tx& tx, AvlNode* node) {
  const int64_t left = avl_height(tx, tx.read(node->child[0]));
  const int64_t right = avl_height(tx, tx.read(node->child[1]));
  const int64_t height = (left > right ? left : right) + 1;
  if (tx.read(node->height) == height) return false;
  tx.write(node->height, height);
  return true;
}

// The child of the other side comes up, `node` goes down on `side`. What is on top then.
template <class Tx>
AvlNode* avl_rotate(Tx& tx, AvlNode* node, int side) {
  AvlNode* const up = tx.read(node->child[1 - side]);
  tx.write(node->child[1 - side], tx.read(up->child[side]));
  tx.write(up->child[side], node);
  avl_measure(tx, node);
  avl_measure(tx, up);
  return up;
}

// Mends what is below each of `links`, the innermost last, each of which leads to a node.
template <class Tx>
void avl_mend(Tx& tx, AvlNode** const* links, size_t count) {
  while (count-- > 0) {
    AvlNode* node = tx.read(*links[count]);
    AvlNode* const left = tx.read(node->child[0]);
    AvlNode* const right = tx.read(node->child[1]);
    const int64_t lean = avl_height(tx, right) - avl_height(tx, left);
    const int64_t before = tx.read(node->height);
    if (lean == 2 || lean == -2) {
      const int high = lean > 0;
      AvlNode* const child = high == 1 ? right : left;
      if (avl_height(tx, tx.read(child->child[1 - high])) >
          avl_height(tx, tx.read(child->child[high]))) {
        tx.write(node->child[high], avl_rotate(tx, child, high));
      }
      node = avl_rotate(tx, node, 1 - high);
      tx.write(*links[count], node);
    } else {
      avl_measure(tx, node);
    }
    if (tx.read(node->height) == before) return;
  }
}

// False when an equal one is there.
template <class Tx>
bool avl_insert(Tx& tx, AvlTree* tree, void* data) {
  AvlNode** links[kAvlDeepest];
  size_t count = 0;
  AvlNode** link = &tree->root;
  for (AvlNode* node; (node = tx.read(*link)) != nullptr;) {
    const long order = tree->compare(data, tx.read(node->data));
    if (order == 0) return false;
    links[count++] = link;
    link = &node->child[order > 0];
  }
  AvlNode* const node = static_cast<AvlNode*>(tx.allocate(sizeof(AvlNode)));
  *node = {data, {nullptr, nullptr}, 1};
  tx.write(*link, node);
  tx.write(tree->size, tx.read(tree->size) + 1);
  avl_mend(tx, links, count);
  return true;
}

// What was removed, or null.
template <class Tx>
void* avl_remove(Tx& tx, AvlTree* tree, const void* data) {
  AvlNode** links[kAvlDeepest];
  size_t count = 0;
  AvlNode** link = &tree->root;
  AvlNode* node;
  void* found = nullptr;
  while ((node = tx.read(*link)) != nullptr) {
    found = tx.read(node->data);
    const long order = tree->compare(data, found);
    if (order == 0) break;
    links[count++] = link;
    link = &node->child[order > 0];
  }
  if (node == nullptr) return nullptr;
  if (tx.read(node->child[0]) != nullptr && tx.read(node->child[1]) != nullptr) {
    // The next one above has one child at most: its data move here, and it goes.
    AvlNode* const here = node;
    links[count++] = link;
    link = &node->child[1];
    node = tx.read(*link);
    for (AvlNode* lower; (lower = tx.read(node->child[0])) != nullptr; node = lower) {
      links[count++] = link;
      link = &node->child[0];
    }
    tx.write(here->data, tx.read(node->data));
  }
  AvlNode* const left = tx.read(node->child[0]);
  tx.write(*link, left != nullptr ? left : tx.read(node->child[1]));
  tx.free(node, sizeof(AvlNode));
  tx.write(tree->size, tx.read(tree->size) - 1);
  avl_mend(tx, links, count);
  return found;
}

// Data in order, where no transaction runs.
template <class Visit>
void avl_visit(const AvlNode* node, Visit&& visit) {
  if (node == nullptr) return;
  avl_visit(node->child[0], visit);
  visit(node->data);
  avl_visit(node->child[1], visit);
}

template <class Tx>
void avl_destroy_below(Tx& tx, AvlNode* node) {
  if (node == nullptr) return;
  avl_destroy_below(tx, tx.read(node->child[0]));
  avl_destroy_below(tx, tx.read(node->child[1]));
  tx.free(node, sizeof(AvlNode));
}

// Nodes and header; the data are the caller's.
template <class Tx>
void avl_destroy(Tx& tx, AvlTree* tree) {
  avl_destroy_below(tx, tx.read(tree->root));
  tx.free(tree, sizeof(AvlTree));
}

// The height, or -1 when heights are wrong or differ by more than one; where no transaction runs.
inline int64_t avl_checked_height(const AvlNode* node) {
  if (node == nullptr) return 0;
  const int64_t left = avl_checked_height(node->child[0]);
  const int64_t right = avl_checked_height(node->child[1]);
  if (left < 0 || right < 0 || std::abs(left - right) > 1) return -1;
  return node->height == (left > right ? left : right) + 1 ? node->height : -1;
}

}  // namespace mmt::workloads::stm
