#pragma once
// These functions make a subtree as flat as it can be, in time and visits proportional to its nodes
// and without memory. The first step makes a vine, by rotations, as Day (1976), Stout and Warren
// (1986) do. The second step makes the tree from the vine's nodes in their order. So each node's
// maxima and count follow from children that are done.
#include <cstddef>

#include <mmt/core/check.h>
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/tree/node.h>

namespace mmt::layers::fit {

struct Vine {
  Address first = kNone;
  size_t count = 0;
};

// The subtree's nodes from the lowest address on, each the right child of the one before. Only
// right children hold.
template <class NodesType>
Vine make_vine(const NodesType& nodes, Address root) {
  Vine vine;
  Address last = kNone;
  while (root != kNone) {
    nodes.probe().rebalanced(1);
    const Address left = nodes.left(root);
    if (left != kNone) {
      nodes.set_child(root, Side::kLeft, nodes.right(left));
      nodes.set_child(left, Side::kRight, root);
      root = left;
      continue;
    }
    if (last == kNone) {
      vine.first = root;
    } else {
      nodes.set_child(last, Side::kRight, root);
    }
    last = root;
    ++vine.count;
    root = nodes.right(root);
  }
  return vine;
}

// A tree of which any node's subtrees differ by one node at most.
template <class NodesType>
Address build_tree(const NodesType& nodes, Vine vine) {
  // Nodes that wait for a subtree: for the left one while they have no root, else for the right.
  struct Waiting {
    size_t count;
    Address root;
  };
  constexpr size_t kMostLevels = 48;
  Waiting path[kMostLevels];
  size_t depth = 0;
  size_t count = vine.count;
  for (;;) {
    for (; count != 0; count /= 2) {
      MMT_CHECK(depth < kMostLevels, "a tree has more nodes than an address space");
      path[depth++] = {count, kNone};
    }
    Address built = kNone;
    for (;;) {
      if (depth == 0) return built;
      Waiting& top = path[depth - 1];
      if (top.root == kNone) {
        top.root = vine.first;
        vine.first = nodes.right(top.root);
        nodes.set_child(top.root, Side::kLeft, built);
        count = top.count - 1 - top.count / 2;
        break;
      }
      nodes.probe().rebalanced(1);
      nodes.set_children(top.root, nodes.left(top.root), built);
      built = top.root;
      --depth;
    }
  }
}

template <class NodesType>
Address rebuild(const NodesType& nodes, Address root) {
  return build_tree(nodes, make_vine(nodes, root));
}

}  // namespace mmt::layers::fit
