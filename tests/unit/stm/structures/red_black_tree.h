// A red-black tree of keys: no red node has a red child, all paths have as many black nodes.
#pragma once

#include <vector>

namespace mmt::stm {

class RedBlackTree {
 public:
  template <class Tx>
  bool insert(Tx& tx, long key) {
    Node* parent = nullptr;
    Node* node = tx.read(root_);
    while (node != nullptr) {
      const long here = tx.read(node->key);
      if (here == key) return false;
      parent = node;
      node = tx.read(node->child[here < key]);
    }
    node = tx.template create<Node>(key, parent);
    if (parent == nullptr)
      tx.write(root_, node);
    else
      tx.write(parent->child[tx.read(parent->key) < key], node);
    mend_insertion(tx, node);
    return true;
  }

  template <class Tx>
  bool erase(Tx& tx, long key) {
    Node* node = find(tx, key);
    if (node == nullptr) return false;
    if (tx.read(node->child[0]) != nullptr && tx.read(node->child[1]) != nullptr) {
      Node* next = tx.read(node->child[1]);
      while (Node* const left = tx.read(next->child[0])) next = left;
      tx.write(node->key, tx.read(next->key));
      node = next;
    }
    Node* child = tx.read(node->child[0]);
    if (child == nullptr) child = tx.read(node->child[1]);
    Node* const parent = tx.read(node->parent);
    const int side = parent != nullptr && tx.read(parent->child[1]) == node;
    replace(tx, node, child);
    if (!red(tx, node)) mend_erasure(tx, child, parent, side);
    tx.destroy(node);
    return true;
  }

  template <class Tx>
  bool contains(Tx& tx, long key) {
    return find(tx, key) != nullptr;
  }
  template <class Tx>
  std::vector<long> keys(Tx& tx) {
    std::vector<long> all;
    collect(tx, tx.read(root_), &all);
    return all;
  }
  // Where no transaction runs.
  const char* problem() const {
    if (root_ != nullptr && root_->is_red) return "the root is red";
    return black_nodes(root_) < 0 ? "out of balance" : "";
  }

 private:
  struct Node {
    Node(long k, Node* p) : key(k), parent(p) {}
    long key;
    Node* parent;
    Node* child[2] = {nullptr, nullptr};
    bool is_red = true;
  };

  template <class Tx>
  static bool red(Tx& tx, Node* node) {
    return node != nullptr && tx.read(node->is_red);
  }
  template <class Tx>
  Node* find(Tx& tx, long key) {
    Node* node = tx.read(root_);
    while (node != nullptr) {
      const long here = tx.read(node->key);
      if (here == key) break;
      node = tx.read(node->child[here < key]);
    }
    return node;
  }
  template <class Tx>
  static void collect(Tx& tx, Node* node, std::vector<long>* all) {
    if (node == nullptr) return;
    collect(tx, tx.read(node->child[0]), all);
    all->push_back(tx.read(node->key));
    collect(tx, tx.read(node->child[1]), all);
  }

  // `with` takes the place of `node` below its parent.
  template <class Tx>
  void replace(Tx& tx, Node* node, Node* with) {
    Node* const parent = tx.read(node->parent);
    if (parent == nullptr)
      tx.write(root_, with);
    else
      tx.write(parent->child[tx.read(parent->child[1]) == node], with);
    if (with != nullptr) tx.write(with->parent, parent);
  }
  // The child on the other side comes up.
  template <class Tx>
  void rotate(Tx& tx, Node* node, int side) {
    Node* const up = tx.read(node->child[1 - side]);
    Node* const inner = tx.read(up->child[side]);
    replace(tx, node, up);
    tx.write(node->child[1 - side], inner);
    if (inner != nullptr) tx.write(inner->parent, node);
    tx.write(up->child[side], node);
    tx.write(node->parent, up);
  }

  template <class Tx>
  void mend_insertion(Tx& tx, Node* node) {
    for (;;) {
      Node* parent = tx.read(node->parent);
      if (!red(tx, parent)) break;
      Node* const above = tx.read(parent->parent);
      const int side = tx.read(above->child[1]) == parent;
      Node* const uncle = tx.read(above->child[1 - side]);
      if (red(tx, uncle)) {
        tx.write(parent->is_red, false);
        tx.write(uncle->is_red, false);
        tx.write(above->is_red, true);
        node = above;
        continue;
      }
      if (tx.read(parent->child[1 - side]) == node) {
        rotate(tx, parent, side);
        parent = node;
      }
      tx.write(parent->is_red, false);
      tx.write(above->is_red, true);
      rotate(tx, above, 1 - side);
      break;
    }
    Node* const root = tx.read(root_);
    if (red(tx, root)) tx.write(root->is_red, false);
  }

  // Paths through `node`, on this side of its parent, lack a black one.
  template <class Tx>
  void mend_erasure(Tx& tx, Node* node, Node* parent, int side) {
    while (parent != nullptr && !red(tx, node)) {
      Node* sibling = tx.read(parent->child[1 - side]);
      if (red(tx, sibling)) {
        tx.write(sibling->is_red, false);
        tx.write(parent->is_red, true);
        rotate(tx, parent, side);
        sibling = tx.read(parent->child[1 - side]);
      }
      Node* const near = tx.read(sibling->child[side]);
      Node* far = tx.read(sibling->child[1 - side]);
      if (!red(tx, near) && !red(tx, far)) {
        tx.write(sibling->is_red, true);
        node = parent;
        parent = tx.read(node->parent);
        side = parent != nullptr && tx.read(parent->child[1]) == node;
        continue;
      }
      if (!red(tx, far)) {
        tx.write(near->is_red, false);
        tx.write(sibling->is_red, true);
        rotate(tx, sibling, 1 - side);
        far = sibling;
        sibling = near;
      }
      tx.write(sibling->is_red, tx.read(parent->is_red));
      tx.write(parent->is_red, false);
      tx.write(far->is_red, false);
      rotate(tx, parent, side);
      return;
    }
    if (node != nullptr) tx.write(node->is_red, false);
  }

  // On each path below and at `node`; -1: they differ, or a red one has a red child.
  static int black_nodes(const Node* node) {
    if (node == nullptr) return 0;
    const int left = black_nodes(node->child[0]);
    const int right = black_nodes(node->child[1]);
    if (left < 0 || left != right) return -1;
    for (const Node* child : node->child) {
      if (child != nullptr && (child->parent != node || (node->is_red && child->is_red))) return -1;
    }
    return left + (node->is_red ? 0 : 1);
  }

  Node* root_ = nullptr;
};

}  // namespace mmt::stm
