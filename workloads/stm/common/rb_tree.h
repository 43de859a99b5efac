// A red-black tree from numbers to pointers: header 16 bytes, node 48. Every field but a key may be
// changed by transactions. Null is black.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmt::workloads::stm {

struct RbNode {
  uint64_t key;
  void* value;
  RbNode* parent;
  RbNode* child[2];
  uint64_t red;
};

struct RbTree {
  RbNode* root;
  uint64_t unused;
};
static_assert(sizeof(RbTree) == 16 && sizeof(RbNode) == 48);

template <class Tx>
RbTree* rb_create(Tx& tx) {
  RbTree* const tree = static_cast<RbTree*>(tx.allocate(sizeof(RbTree)));
  *tree = {nullptr, 0};
  return tree;
}

template <class Tx>
RbNode* rb_node_of(Tx& tx, RbTree* tree, uint64_t key) {
  RbNode* node = tx.read(tree->root);
  while (node != nullptr) {
    const uint64_t here = tx.read(node->key);
    if (here == key) return node;
    node = tx.read(node->child[key > here]);
  }
  return nullptr;
}

template <class Tx>
void* rb_find(Tx& tx, RbTree* tree, uint64_t key) {
  RbNode* const node = rb_node_of(tx, tree, key);
  return node == nullptr ? nullptr : tx.read(node->value);
}

template <class Tx>
bool rb_is_red(Tx& tx, RbNode* node) {
  return node != nullptr && tx.read(node->red) != 0;
}

// `with` (or null) takes the place of `node` under its parent.
template <class Tx>
void rb_replace(Tx& tx, RbTree* tree, RbNode* node, RbNode* with) {
  RbNode* const parent = tx.read(node->parent);
  if (parent == nullptr) {
    tx.write(tree->root, with);
  } else {
    tx.write(parent->child[tx.read(parent->child[1]) == node], with);
  }
  if (with != nullptr) tx.write(with->parent, parent);
}

// `node` goes down on `side`; its child of the other side comes up.
template <class Tx>
void rb_rotate(Tx& tx, RbTree* tree, RbNode* node, int side) {
  RbNode* const up = tx.read(node->child[1 - side]);
  RbNode* const middle = tx.read(up->child[side]);
  rb_replace(tx, tree, node, up);
  tx.write(node->child[1 - side], middle);
  if (middle != nullptr) tx.write(middle->parent, node);
  tx.write(up->child[side], node);
  tx.write(node->parent, up);
}

// False when the key is there.
template <class Tx>
bool rb_insert(Tx& tx, RbTree* tree, uint64_t key, void* value) {
  RbNode* parent = nullptr;
  RbNode* node = tx.read(tree->root);
  int side = 0;
  while (node != nullptr) {
    const uint64_t here = tx.read(node->key);
    if (here == key) return false;
    parent = node;
    side = key > here;
    node = tx.read(node->child[side]);
  }
  node = static_cast<RbNode*>(tx.allocate(sizeof(RbNode)));
  *node = {key, value, parent, {nullptr, nullptr}, 1};
  if (parent == nullptr) {
    tx.write(tree->root, node);
  } else {
    tx.write(parent->child[side], node);
  }
  while ((parent = tx.read(node->parent)) != nullptr && rb_is_red(tx, parent)) {
    RbNode* const above = tx.read(parent->parent);  // there is one: the root is black
    const int at = tx.read(above->child[1]) == parent;
    RbNode* const uncle = tx.read(above->child[1 - at]);
    if (rb_is_red(tx, uncle)) {
      tx.write(parent->red, 0);
      tx.write(uncle->red, 0);
      tx.write(above->red, 1);
      node = above;
      continue;
    }
    if (tx.read(parent->child[1 - at]) == node) {
      rb_rotate(tx, tree, parent, at);
      parent = node;
    }
    tx.write(parent->red, 0);
    tx.write(above->red, 1);
    rb_rotate(tx, tree, above, 1 - at);
    break;
  }
  RbNode* const root = tx.read(tree->root);
  if (rb_is_red(tx, root)) tx.write(root->red, 0);
  return true;
}

// Below `parent` on `side`, where `node` (maybe null) is, a black is missing.
template <class Tx>
void rb_mend(Tx& tx, RbTree* tree, RbNode* parent, RbNode* node) {
  while (parent != nullptr && !rb_is_red(tx, node)) {
    const int side = tx.read(parent->child[1]) == node;
    RbNode* other = tx.read(parent->child[1 - side]);
    if (rb_is_red(tx, other)) {
      tx.write(other->red, 0);
      tx.write(parent->red, 1);
      rb_rotate(tx, tree, parent, side);
      other = tx.read(parent->child[1 - side]);
    }
    RbNode* near = tx.read(other->child[side]);
    RbNode* far = tx.read(other->child[1 - side]);
    if (!rb_is_red(tx, near) && !rb_is_red(tx, far)) {
      tx.write(other->red, 1);
      node = parent;
      parent = tx.read(node->parent);
      continue;
    }
    if (!rb_is_red(tx, far)) {
      tx.write(near->red, 0);
      tx.write(other->red, 1);
      rb_rotate(tx, tree, other, 1 - side);
      far = other;
      other = near;
    }
    tx.write(other->red, tx.read(parent->red));
    tx.write(parent->red, 0);
    tx.write(far->red, 0);
    rb_rotate(tx, tree, parent, side);
    return;
  }
  if (rb_is_red(tx, node)) tx.write(node->red, 0);
}

// The value that was removed; null when the key is not there.
template <class Tx>
void* rb_remove(Tx& tx, RbTree* tree, uint64_t key) {
  RbNode* const node = rb_node_of(tx, tree, key);
  if (node == nullptr) return nullptr;
  void* const value = tx.read(node->value);
  RbNode* const left = tx.read(node->child[0]);
  RbNode* const right = tx.read(node->child[1]);
  bool black_gone = !rb_is_red(tx, node);
  RbNode* parent = tx.read(node->parent);
  RbNode* below = left == nullptr ? right : left;
  if (left == nullptr || right == nullptr) {
    rb_replace(tx, tree, node, below);
  } else {
    RbNode* next = right;
    for (RbNode* lower; (lower = tx.read(next->child[0])) != nullptr;) next = lower;
    black_gone = !rb_is_red(tx, next);
    below = tx.read(next->child[1]);
    parent = next;
    if (next != right) {
      parent = tx.read(next->parent);
      rb_replace(tx, tree, next, below);
      tx.write(next->child[1], right);
      tx.write(right->parent, next);
    }
    rb_replace(tx, tree, node, next);
    tx.write(next->child[0], left);
    tx.write(left->parent, next);
    tx.write(next->red, tx.read(node->red));
  }
  if (black_gone) rb_mend(tx, tree, parent, below);
  tx.free(node, sizeof(RbNode));
  return value;
}

// Nodes in order of keys, where no transaction runs.
template <class Visit>
void rb_visit(const RbNode* node, Visit&& visit) {
  if (node == nullptr) return;
  rb_visit(node->child[0], visit);
  visit(*node);
  rb_visit(node->child[1], visit);
}

template <class Tx>
void rb_destroy_below(Tx& tx, RbNode* node) {
  if (node == nullptr) return;
  rb_destroy_below(tx, tx.read(node->child[0]));
  rb_destroy_below(tx, tx.read(node->child[1]));
  tx.free(node, sizeof(RbNode));
}

template <class Tx>
void rb_destroy(Tx& tx, RbTree* tree) {
  rb_destroy_below(tx, tx.read(tree->root));
  tx.free(tree, sizeof(RbTree));
}

// Black nodes on every path below, or -1 when the tree is not one; where no transaction runs.
inline int rb_black_height(const RbNode* node) {
  if (node == nullptr) return 0;
  int heights[2];
  for (int side = 0; side < 2; ++side) {
    const RbNode* const child = node->child[side];
    if (child != nullptr) {
      if (child->parent != node || (child->key > node->key) != (side == 1)) return -1;
      if (node->red != 0 && child->red != 0) return -1;
    }
    heights[side] = rb_black_height(child);
  }
  if (heights[0] < 0 || heights[0] != heights[1]) return -1;
  return heights[0] + (node->red == 0 ? 1 : 0);
}

}  // namespace mmt::workloads::stm
