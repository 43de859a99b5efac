#pragma once
// Walks over all nodes of a tree, whatever its shape, without memory of their own.
#include <cstddef>

#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/tree/cursor.h>
#include <mmt/layers/fit/tree/node.h>

namespace mmt::layers::fit {

// Nodes of a subtree, by a walk in which each is looked at once on the way down.
template <class NodesType>
size_t count_nodes(const NodesType& nodes, Address root) {
  if (root == kNone) return 0;
  Cursor<NodesType> cursor(nodes, root);
  size_t count = 0;
  bool is_new = true;  // what is left of the node has not been counted
  for (;;) {
    if (is_new) {
      nodes.probe().rebalanced(1);
      ++count;
      if (nodes.left(cursor.at()) != kNone) {
        cursor.down(Side::kLeft);
        continue;
      }
    }
    if (nodes.right(cursor.at()) != kNone) {
      cursor.down(Side::kRight);
      is_new = true;
      continue;
    }
    Side came_from = Side::kRight;
    while (came_from == Side::kRight && cursor.at() != root) {
      cursor.set_key(cursor.at());
      came_from = cursor.side();
      cursor.leave();
    }
    if (came_from == Side::kRight) return count;
    is_new = false;
  }
}

struct Placed {
  Address node = kNone;
  size_t depth = 0;  // links below the root
};

// The node with the lowest address behind `from`.
template <class NodesType>
Address next_node(const NodesType& nodes, Address root, Address from) {
  Address found = kNone;
  for (Address node = root; node != kNone;) {
    if (from < node) found = node;
    node = nodes.child(node, from < node ? Side::kLeft : Side::kRight);
  }
  return found;
}

// These are the last nodes on the way down that are still to come. In a deep tree the first ones
// are forgotten, and looked for from the root once more when their turn comes.
template <class NodesType>
class Pending {
 public:
  Pending(const NodesType& nodes, Address root) : nodes_(nodes), root_(root) {}

  // Those behind `from` of the subtree.
  void add(Placed at, Address from) {
    for (; at.node != kNone; ++at.depth) {
      const bool is_behind = from < at.node;
      if (is_behind) push(at);
      at.node = nodes_.child(at.node, is_behind ? Side::kLeft : Side::kRight);
    }
  }
  // The one with the lowest address, all up to `last` having been; at kNone: there is none.
  Placed take(Address last) {
    if (held_ == 0) add({root_, 0}, last);
    if (held_ == 0) return {};
    --held_;
    return recent_[--top_ % kMost];
  }

 private:
  static constexpr size_t kMost = 64;

  void push(Placed at) {
    recent_[top_++ % kMost] = at;
    if (held_ < kMost) ++held_;
  }

  NodesType nodes_;
  Address root_;
  size_t top_ = 0;
  size_t held_ = 0;
  Placed recent_[kMost];
};

// visit(node, depth) for each in the order of addresses, until it returns false. The tree is only
// read.
template <class NodesType, class Visit>
void walk_in_order(const NodesType& nodes, Address root, Visit visit) {
  Pending<NodesType> pending(nodes, root);
  Placed at = pending.take(kNone);
  while (at.node != kNone && visit(at.node, at.depth)) {
    const Address last = at.node;
    pending.add({nodes.right(last), at.depth + 1}, last);
    at = pending.take(last);
  }
}

}  // namespace mmt::layers::fit
