#pragma once
// A node is what a free chunk of a tree holds, in words of its arena. It has a size, its children,
// and what its subtrees' largest chunks are. A layout tells where the words lie; Nodes reads and
// writes them.
//
//   PaperNode    the paper's six words. The parent's address lets a climb stop where nothing
//                changes any more, and a node be reached without a walk down to it.
//   CompactNode  four words. One is a maximum for the whole subtree, which a walk reads from the
//                child. There is no parent, so walks keep their way back (tree/cursor.h).
//
// A tree whose balance counts nodes has a word more.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/arena.h>

namespace mmt::layers::fit {

struct PaperNode {
  enum Field : size_t { kSize, kMaxLeft, kMaxRight, kLeft, kRight, kParent, kFields };
  static constexpr bool kHasParent = true;
};

struct CompactNode {
  enum Field : size_t { kSize, kMax, kLeft, kRight, kFields };
  static constexpr bool kHasParent = false;
};

enum class Side : uint8_t { kLeft, kRight };

constexpr Side opposite(Side side) { return side == Side::kLeft ? Side::kRight : Side::kLeft; }

template <class ArenaT, class LayoutT, bool kCountedT>
class Nodes {
 public:
  using ArenaType = ArenaT;
  using Layout = LayoutT;
  using Word = typename ArenaType::Word;
  static constexpr bool kHasParent = Layout::kHasParent;
  static constexpr bool kCounted = kCountedT;
  static constexpr size_t kBytes = (Layout::kFields + (kCounted ? 1 : 0)) * sizeof(Word);

  explicit Nodes(ArenaType& arena) : arena_(&arena) {}

  auto& probe() const { return arena_->probe(); }

  size_t size(Address node) const { return get(node, Layout::kSize); }
  Address end(Address node) const { return node + size(node); }
  Address left(Address node) const { return get(node, Layout::kLeft); }
  Address right(Address node) const { return get(node, Layout::kRight); }
  Address child(Address node, Side side) const {
    return side == Side::kLeft ? left(node) : right(node);
  }
  void set_child(Address node, Side side, Address child) const {
    set(node, side == Side::kLeft ? Layout::kLeft : Layout::kRight, child);
  }
  Address parent(Address node) const requires kHasParent { return get(node, Layout::kParent); }
  void set_parent(Address node, Address parent) const {
    if constexpr (kHasParent) {
      if (node != kNone) set(node, Layout::kParent, parent);
    }
  }

  // The largest chunk of the subtree; 0 where there is none.
  size_t max(Address node) const {
    if (node == kNone) return 0;
    if constexpr (kHasParent) {
      return std::max({size(node), get(node, Layout::kMaxLeft), get(node, Layout::kMaxRight)});
    } else {
      return get(node, Layout::kMax);
    }
  }
  // The result is the largest chunk of the subtree on that side.
  size_t child_max(Address node, Side side) const {
    if constexpr (kHasParent) {
      return get(node, side == Side::kLeft ? Layout::kMaxLeft : Layout::kMaxRight);
    } else {
      return max(child(node, side));
    }
  }
  // Nodes of the subtree.
  size_t count(Address node) const requires kCounted {
    return node == kNone ? 0 : get(node, Layout::kFields);
  }

  void make(Address node, size_t size) const {
    set(node, Layout::kSize, size);
    set_children(node, kNone, kNone);
  }
  void set_size(Address node, size_t size) const {
    set(node, Layout::kSize, size);
    if constexpr (!kHasParent) refresh(node);
  }
  // Both children, and what follows from them.
  void set_children(Address node, Address left, Address right) const {
    set(node, Layout::kLeft, left);
    set(node, Layout::kRight, right);
    set_parent(left, node);
    set_parent(right, node);
    if constexpr (kHasParent) {
      set(node, Layout::kMaxLeft, max(left));
      set(node, Layout::kMaxRight, max(right));
    }
    refresh(node);
  }
  // What the subtree on that side tells of itself, once more. False: it was so already.
  MMT_ALWAYS_INLINE bool refresh_side(Address node, Side side, Address child) const {
    bool is_changed = false;
    if constexpr (kHasParent) {
      const auto field = side == Side::kLeft ? Layout::kMaxLeft : Layout::kMaxRight;
      const size_t largest = max(child);
      if (get(node, field) != largest) {
        set(node, field, largest);
        is_changed = true;
      }
    }
    return refresh(node) || is_changed;
  }

  // The node moves to where no other is; its parent's link is the caller's.
  void move(Address from, Address to) const {
    set(to, Layout::kSize, size(from));
    set_children(to, left(from), right(from));
  }

  // The child on that side takes the node's place, and the node becomes its child.
  Address rotate(Address node, Side side) const {
    const Address lifted = child(node, side);
    const Address inner = child(lifted, opposite(side));
    probe().rebalanced(2);
    if (side == Side::kLeft) {
      set_children(node, inner, right(node));
      set_children(lifted, left(lifted), node);
    } else {
      set_children(node, left(node), inner);
      set_children(lifted, node, right(lifted));
    }
    return lifted;
  }

 private:
  size_t get(Address node, size_t field) const { return arena_->load(node + field * sizeof(Word)); }
  void set(Address node, size_t field, size_t value) const {
    arena_->store(node + field * sizeof(Word), static_cast<Word>(value));
  }
  MMT_ALWAYS_INLINE bool refresh(Address node) const {
    bool is_changed = false;
    if constexpr (!kHasParent) {
      const size_t largest = std::max({size(node), max(left(node)), max(right(node))});
      is_changed = get(node, Layout::kMax) != largest;
      if (is_changed) set(node, Layout::kMax, largest);
    }
    if constexpr (kCounted) {
      const size_t nodes = 1 + count(left(node)) + count(right(node));
      if (get(node, Layout::kFields) != nodes) {
        set(node, Layout::kFields, nodes);
        is_changed = true;
      }
    }
    return is_changed;
  }

  ArenaType* arena_;
};

}  // namespace mmt::layers::fit
