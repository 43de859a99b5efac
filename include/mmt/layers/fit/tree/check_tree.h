#pragma once
// This checks whether a tree is what it says. The checks are for links both ways, the order of
// addresses, and no overlap. They are also for maxima and counts that follow from the children's,
// and for the balance's bound. The check only reads.
#include <algorithm>
#include <cstddef>

#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/tree/node.h>
#include <mmt/layers/fit/tree/walk.h>

namespace mmt::layers::fit {

// What is wrong with what a node says of its children, or null.
template <class NodesType>
const char* check_node(const NodesType& nodes, Address node) {
  size_t largest = nodes.size(node);
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const Address child = nodes.child(node, side);
    if (nodes.child_max(node, side) != nodes.max(child)) return "a maximum is not the subtree's";
    largest = std::max(largest, nodes.max(child));
    if constexpr (NodesType::kHasParent) {
      if (child != kNone && nodes.parent(child) != node) return "a child has another parent";
    }
  }
  if (nodes.max(node) != largest) return "a maximum is not the subtree's";
  if constexpr (NodesType::kCounted) {
    if (nodes.count(node) != 1 + nodes.count(nodes.left(node)) + nodes.count(nodes.right(node))) {
      return "a count is not the subtree's";
    }
  }
  return nullptr;
}

template <class NodesType, class TreeType>
const char* check_tree(const NodesType& nodes, const TreeType& tree) {
  const char* broken = nullptr;
  size_t count = 0;
  Address end = kNone;
  const size_t most_depth = tree.balance().most_depth(tree.count());
  if constexpr (NodesType::kHasParent) {
    if (!tree.is_empty() && nodes.parent(tree.root()) != kNone) return "the root has a parent";
  }
  walk_in_order(nodes, tree.root(), [&](Address node, size_t depth) {
    if (node < end) broken = "free chunks overlap, or are not in order";
    if (broken == nullptr) broken = check_node(nodes, node);
    if (broken == nullptr) broken = tree.balance().broken(nodes, node);
    if (broken == nullptr && depth > most_depth) broken = "a node lies too deep";
    if (broken == nullptr && ++count > tree.count()) broken = "a tree has too many nodes";
    end = nodes.end(node);
    return broken == nullptr;
  });
  if (broken != nullptr) return broken;
  return count == tree.count() ? nullptr : "a tree has too few nodes";
}

}  // namespace mmt::layers::fit
