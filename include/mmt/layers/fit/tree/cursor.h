#pragma once
// A cursor is a place in a tree: that of a node, or an empty one below a node. Where nodes know no
// parent, the cursor keeps the last nodes of the way down. In a deep tree the cursor forgets the
// first ones, and looks for them from the root when it comes back to them. So a walk takes a fixed
// amount of memory. Addresses tell on which side of its parent a node lies.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/tree/node.h>

namespace mmt::layers::fit {

// The nodes above a cursor, for trees whose nodes know their parents: nothing to keep.
template <class NodesType, bool kKnown = NodesType::kHasParent>
class Ancestors {
 public:
  explicit Ancestors(Address) {}
  void add(Address) {}
  Address take(const NodesType& nodes, Address node, Address) { return nodes.parent(node); }
};

template <class NodesType>
class Ancestors<NodesType, false> {
 public:
  explicit Ancestors(Address root) : root_(root) {}

  MMT_ALWAYS_INLINE void add(Address node) {
    recent_[depth_ % kMost] = node;
    ++depth_;
    if (MMT_UNLIKELY(depth_ - lost_ > kMost)) ++lost_;
  }
  // The last one, from which a walk by `key` went down; kNone: there is none.
  MMT_ALWAYS_INLINE Address take(const NodesType& nodes, Address, Address key) {
    if (depth_ == 0) return kNone;
    if (MMT_UNLIKELY(depth_ == lost_)) look_again(nodes, key);
    --depth_;
    return recent_[depth_ % kMost];
  }

 private:
  static constexpr size_t kMost = 64;

  // What is above is as it was on the way down.
  MMT_COLD void look_again(const NodesType& nodes, Address key) {
    Address node = root_;
    for (size_t i = 0; i < depth_; ++i) {
      recent_[i % kMost] = node;
      nodes.probe().rebalanced(1);
      node = nodes.child(node, key < node ? Side::kLeft : Side::kRight);
    }
    lost_ = depth_ > kMost ? depth_ - kMost : 0;
  }

  Address root_;
  size_t depth_ = 0;
  size_t lost_ = 0;  // so many of the first are no more in `recent_`
  Address recent_[kMost];
};

// Whether a walk is the operation's first to that place. On the way to a place that it has been at,
// it visits no nodes: what counts visits counts each node once.
enum class Way : uint8_t { kNew, kKnown };

template <class NodesT>
class Cursor {
 public:
  using NodesType = NodesT;
  static constexpr bool kHasParent = NodesType::kHasParent;

  Cursor(NodesType nodes, Address root) : nodes_(nodes), at_(root), ancestors_(root) {}
  // The cursor is at a node that knows its parent.
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
  // Tells on which side of the parent it is.
  Side side() const { return key_ < parent_ ? Side::kLeft : Side::kRight; }
  // An address that has the place's order among the path's nodes; to be set before leave() or up()
  // unless the walk went by it.
  void set_key(Address key) { key_ = key; }
  Address key() const { return key_; }

  MMT_ALWAYS_INLINE void down(Side side) {
    if (parent_ != kNone) ancestors_.add(parent_);
    parent_ = at_;
    at_ = nodes_.child(at_, side);
  }
  // Goes to the node, which lies below, by its address.
  MMT_ALWAYS_INLINE void down_to(Address node, Way way) {
    key_ = node;
    while (at_ != node) {
      if (way == Way::kNew) nodes_.probe().visited(1);
      down(node < at_ ? Side::kLeft : Side::kRight);
    }
  }

  // Another node, or none, takes the place.
  void put(Address node) {
    at_ = node;
    nodes_.set_parent(node, parent_);
  }

  // Goes to the parent, of which nothing has to change.
  void leave() {
    at_ = parent_;
    parent_ = ancestors_.take(nodes_, at_, key_);
  }
  // To the parent, which gets its link, maximum and count right. False: they were.
  MMT_ALWAYS_INLINE bool up() {
    const Side side = this->side();
    const Address child = at_;
    nodes_.probe().rebalanced(1);
    leave();
    const bool is_relinked = nodes_.child(at_, side) != child;
    if (is_relinked) nodes_.set_child(at_, side, child);
    return nodes_.refresh_side(at_, side, child) || is_relinked;
  }

 private:
  NodesType nodes_;
  Address at_;
  Address parent_ = kNone;
  Address key_ = kNone;
  [[no_unique_address]] Ancestors<NodesType> ancestors_;
};

}  // namespace mmt::layers::fit
