#pragma once
// A place in a tree: of a node, or an empty one below a node. Where nodes know no parent, the way
// back lies in the tree itself: each node of the path holds its parent's address instead of the
// child's that the path goes to, until the cursor leaves it. So a walk takes no memory however deep
// a tree is; and a walk that was begun goes all the way back. On which side a node lies of its
// parent, addresses tell.
#include <cstddef>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/tree/node.h>

namespace mmt::layers::fit {

template <class NodesT>
class Cursor {
 public:
  using NodesType = NodesT;
  static constexpr bool kHasParent = NodesType::kHasParent;

  Cursor(NodesType nodes, Address root) : nodes_(nodes), at_(root) {}
  // Of a node that knows its parent.
  static Cursor of(NodesType nodes, Address node) requires kHasParent {
    Cursor cursor(nodes, node);
    cursor.parent_ = nodes.parent(node);
    cursor.key_ = node;
    return cursor;
  }

  const NodesType& nodes() const { return nodes_; }
  // kNone: an empty place.
  Address at() const { return at_; }
  // kNone: this is the root's place.
  Address parent() const { return parent_; }
  // On which side of the parent.
  Side side() const { return key_ < parent_ ? Side::kLeft : Side::kRight; }
  // An address that has the place's order among the path's nodes; to be set before leave() or up()
  // unless the walk went by it.
  void set_key(Address key) { key_ = key; }
  Address key() const { return key_; }

  MMT_ALWAYS_INLINE void down(Side side) {
    const Address child = nodes_.child(at_, side);
    if constexpr (!kHasParent) nodes_.set_child(at_, side, parent_);
    parent_ = at_;
    at_ = child;
  }
  // To the node, which lies below, by its address.
  MMT_ALWAYS_INLINE void down_to(Address node) {
    key_ = node;
    while (at_ != node) {
      nodes_.probe().visited(1);
      down(node < at_ ? Side::kLeft : Side::kRight);
    }
  }

  // Another node, or none, takes the place.
  void put(Address node) {
    at_ = node;
    nodes_.set_parent(node, parent_);
  }

  // To the parent; the subtree is as it was when the walk came by.
  void leave() {
    const Address left = parent_;
    if constexpr (kHasParent) {
      parent_ = nodes_.parent(left);
    } else {
      parent_ = nodes_.child(left, side());
      nodes_.set_child(left, key_ < left ? Side::kLeft : Side::kRight, at_);
    }
    at_ = left;
  }
  // To the parent, which gets its link, maximum and count right. False: they were.
  MMT_ALWAYS_INLINE bool up() {
    const Side side = this->side();
    const Address node = parent_;
    const Address child = at_;
    bool is_changed = true;
    nodes_.probe().rebalanced(1);
    if constexpr (kHasParent) {
      parent_ = nodes_.parent(node);
      is_changed = nodes_.child(node, side) != child;
      if (is_changed) nodes_.set_child(node, side, child);
    } else {
      parent_ = nodes_.child(node, side);
      nodes_.set_child(node, side, child);
    }
    at_ = node;
    return nodes_.refresh_side(node, side, child) || is_changed;
  }

 private:
  NodesType nodes_;
  Address at_;
  Address parent_ = kNone;
  Address key_ = kNone;
};

}  // namespace mmt::layers::fit
