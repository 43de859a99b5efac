#pragma once
// This is one tree of free chunks in the order of their addresses, in which each node knows the
// largest chunks below it. The tree lies in the chunks themselves; the object holds the root, the
// number of nodes and what its balance needs. All walks are loops. The arena is the caller's, and
// so is the memory of chunks that are out of the tree. The tree is not thread-safe.
//
// A change begins at a cursor, from at() or find(), and puts the tree right on the way up. The way
// begins at the deepest node whose links changed. It ends where a node's maxima, link and count are
// as they were.
#include <cstddef>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/fit.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/fit/tree/balance/none.h>
#include <mmt/layers/fit/tree/balance/rebuild.h>
#include <mmt/layers/fit/tree/cursor.h>
#include <mmt/layers/fit/tree/node.h>
#include <mmt/layers/fit/tree/search.h>

namespace mmt::layers::fit {

// The free chunks right before and right behind a chunk; no bytes: there is none.
struct Neighbours {
  FreeChunk before{};
  FreeChunk behind{};

  size_t number() const { return (before.bytes != 0) + (behind.bytes != 0); }
};

// What a chunk has become part of.
struct Joined {
  FreeChunk whole{};
  size_t neighbours = 0;
};

inline constexpr const char* kFreedTwice = "what is freed is free already, or was never given out";

inline FreeChunk join(const Neighbours& neighbours, FreeChunk chunk) {
  return {neighbours.before.bytes != 0 ? neighbours.before.at : chunk.at,
          neighbours.before.bytes + chunk.bytes + neighbours.behind.bytes};
}

template <class ArenaType, class Layout, class Balance>
class Tree {
 public:
  using NodesType = Nodes<ArenaType, Layout, Balance::kCounted>;
  using CursorType = Cursor<NodesType>;
  static_assert(BalanceScheme<Balance, CursorType>);

  constexpr explicit Tree(typename Balance::Options options) : balance_(options) {}

  bool is_empty() const { return root_ == kNone; }
  size_t count() const { return count_; }
  Address root() const { return root_; }
  const Balance& balance() const { return balance_; }

  // A node of at least so many bytes; at kNone: there is none. The tree must not be empty.
  MMT_ALWAYS_INLINE CursorType find(ArenaType& arena, size_t bytes, Fit fit, bool remembers) {
    const NodesType nodes(arena);
    const bool is_there = nodes.max(root_) >= bytes;
    CursorType cursor(nodes, is_there ? root_ : kNone);
    if (!is_there) {
      nodes.probe().visited(1);
      return cursor;
    }
    switch (fit) {
      case Fit::kFirst:
        find_first(cursor, bytes);
        break;
      case Fit::kBetter:
        find_better(cursor, bytes, remembers);
        break;
      case Fit::kBest:
        find_best(cursor, bytes);
        break;
      case Fit::kNext:
        find_next(cursor, bytes, last_found_);
        last_found_ = cursor.at();
        break;
      case Fit::kWorst:
        find_worst(cursor);
        break;
    }
    return cursor;
  }
  // A node of this tree, which must have it.
  CursorType at(ArenaType& arena, Address node, Way way) {
    const NodesType nodes(arena);
    if (way == Way::kNew) nodes.probe().visited(1);
    if constexpr (CursorType::kHasParent) {
      return CursorType::of(nodes, node);
    } else {
      CursorType cursor(nodes, root_);
      cursor.down_to(node, way);
      return cursor;
    }
  }

  // The chunk must not overlap one that is free.
  MMT_ALWAYS_INLINE void insert(ArenaType& arena, FreeChunk chunk) {
    Descent place = descend(arena, chunk);
    put_leaf(place, chunk);
  }
  // As insert, but the chunk joins what lies right before and behind it.
  Joined insert_joined(ArenaType& arena, FreeChunk chunk) {
    Descent place = descend(arena, chunk);
    const Neighbours free = neighbours(place, chunk);
    const FreeChunk whole = join(free, chunk);
    CursorType& cursor = place.cursor;
    const NodesType nodes = cursor.nodes();
    if (free.number() == 0) {
      put_leaf(place, chunk);
    } else if (free.number() == 1) {
      go_back_to(cursor, free.before.bytes != 0 ? place.lower : place.higher);
      change(cursor, whole);
    } else {
      // One of the two is the empty place's parent and has no child on its side. The other is an
      // ancestor of that one. The lower one goes, and the upper one gets everything.
      cursor.leave();
      const bool is_lower_deep = cursor.at() == place.lower;
      const Address upper = is_lower_deep ? place.higher : place.lower;
      cursor.set_key(cursor.at());
      cursor.put(nodes.child(cursor.at(), is_lower_deep ? Side::kLeft : Side::kRight));
      --count_;
      balance_.removed(count_);
      climb_to(cursor, upper);
      const size_t levels = become(cursor, whole);
      balance_.mend(cursor);
      climb(cursor, levels);
      tidy(nodes);
    }
    return {whole, free.number()};
  }
  // Which free chunks of this tree the chunk touches. They lie on the way to its place.
  Neighbours neighbours(ArenaType& arena, FreeChunk chunk, Way way) const {
    const NodesType nodes(arena);
    Neighbours found;
    for (Address node = root_; node != kNone;) {
      if (way == Way::kNew) nodes.probe().visited(1);
      const size_t size = nodes.size(node);
      if (node + size == chunk.at) found.before = {node, size};
      if (chunk.at + chunk.bytes == node) found.behind = {node, size};
      node = nodes.child(node, chunk.at < node ? Side::kLeft : Side::kRight);
    }
    return found;
  }

  // The node's chunk has become another one, in the same order among the nodes.
  MMT_ALWAYS_INLINE void change(CursorType& cursor, FreeChunk chunk) {
    climb(cursor, become(cursor, chunk));
    tidy(cursor.nodes());
  }
  void remove(CursorType& cursor) {
    const NodesType nodes = cursor.nodes();
    const Address node = cursor.at();
    const Address left = nodes.left(node);
    const Address right = nodes.right(node);
    size_t levels = 0;
    --count_;
    balance_.removed(count_);
    if (left == kNone || right == kNone) {
      cursor.put(left != kNone ? left : right);
    } else if constexpr (Balance::kJoins) {
      levels = balance_.join(cursor);
    } else {
      put_successor(cursor, node);
    }
    climb(cursor, levels);
    tidy(nodes);
  }

 private:
  struct Descent {
    CursorType cursor;
    size_t depth = 0;
    Address lower = kNone;  // the nodes between which the place lies
    Address higher = kNone;
  };

  MMT_ALWAYS_INLINE Descent descend(ArenaType& arena, FreeChunk chunk) {
    const NodesType nodes(arena);
    Descent place{CursorType(nodes, root_)};
    CursorType& cursor = place.cursor;
    cursor.set_key(chunk.at);
    for (; cursor.at() != kNone; ++place.depth) {
      nodes.probe().visited(1);
      if (chunk.at < cursor.at()) {
        place.higher = cursor.at();
        cursor.down(Side::kLeft);
      } else {
        place.lower = cursor.at();
        cursor.down(Side::kRight);
      }
    }
    MMT_CHECK(place.lower == kNone || nodes.end(place.lower) <= chunk.at, kFreedTwice, chunk.at,
              chunk.bytes);
    MMT_CHECK(place.higher == kNone || chunk.at + chunk.bytes <= place.higher, kFreedTwice,
              chunk.at, chunk.bytes);
    return place;
  }
  static Neighbours neighbours(const Descent& place, FreeChunk chunk) {
    const NodesType nodes = place.cursor.nodes();
    Neighbours found;
    if (place.lower != kNone && nodes.end(place.lower) == chunk.at) {
      found.before = {place.lower, nodes.size(place.lower)};
    }
    if (place.higher != kNone && chunk.at + chunk.bytes == place.higher) {
      found.behind = {place.higher, nodes.size(place.higher)};
    }
    return found;
  }
  MMT_ALWAYS_INLINE void put_leaf(Descent& place, FreeChunk chunk) {
    const NodesType nodes = place.cursor.nodes();
    nodes.make(chunk.at, chunk.bytes);
    place.cursor.put(chunk.at);
    ++count_;
    balance_.inserted(place.depth, count_);
    climb(place.cursor, 0);
    tidy(nodes);
  }
  // How many levels down the cursor went with the node.
  MMT_ALWAYS_INLINE size_t become(CursorType& cursor, FreeChunk chunk) {
    const NodesType nodes = cursor.nodes();
    const bool is_moved = cursor.at() != chunk.at;
    if (is_moved) nodes.move(cursor.at(), chunk.at);
    nodes.set_size(chunk.at, chunk.bytes);
    if (!is_moved) return 0;
    cursor.put(chunk.at);
    return balance_.settle(cursor);
  }
  // The next node in order takes the place of a node with two children. What is below that next
  // node's own place may be out of balance until the climb has come by.
  void put_successor(CursorType& cursor, Address node) {
    const NodesType nodes = cursor.nodes();
    cursor.down(Side::kRight);
    nodes.probe().rebalanced(1);
    while (nodes.left(cursor.at()) != kNone) {
      nodes.probe().rebalanced(1);
      cursor.down(Side::kLeft);
    }
    const Address successor = cursor.at();
    const size_t bytes = nodes.size(successor);
    cursor.set_key(successor);
    cursor.put(nodes.right(successor));
    climb_to(cursor, node);
    nodes.move(node, successor);
    nodes.set_size(successor, bytes);
    cursor.put(successor);
    balance_.mend(cursor);
  }

  // Goes to a node above, which is not mended itself.
  void climb_to(CursorType& cursor, Address node) {
    for (;;) {
      cursor.up();
      if (cursor.at() == node) return;
      balance_.mend(cursor);
    }
  }
  // `levels`: so many nodes above are to be seen though nothing of them changes.
  MMT_ALWAYS_INLINE void climb(CursorType& cursor, size_t levels) {
    while (cursor.parent() != kNone) {
      const bool is_changed = cursor.up();
      if (!is_changed && levels == 0 && !balance_.is_seeking()) return;
      levels -= levels != 0;
      balance_.mend(cursor);
    }
    root_ = cursor.at();
  }
  MMT_ALWAYS_INLINE void tidy(const NodesType& nodes) {
    if (MMT_LIKELY(!balance_.wants_rebuild(count_))) return;
    root_ = rebuild(nodes, root_);
    nodes.set_parent(root_, kNone);
    balance_.rebuilt(count_);
  }

  Address root_ = kNone;
  size_t count_ = 0;
  Address last_found_ = kNone;  // next fit's
  [[no_unique_address]] Balance balance_;
};

}  // namespace mmt::layers::fit
