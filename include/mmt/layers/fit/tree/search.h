#pragma once
// These functions walk from the root to a node of at least so many bytes, by the largest chunks
// that nodes know of their subtrees. The root's subtree has such a node. The cursor stands on the
// root, and then on what was found. Each node of the walk is visited once. A look at a compact
// node's child for what its parent would know in the paper is no visit.
#include <cstddef>
#include <limits>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/tree/cursor.h>
#include <mmt/layers/fit/tree/node.h>

namespace mmt::layers::fit {

// The lowest address: left if anything there suffices, else the node, else right.
template <class CursorType>
MMT_ALWAYS_INLINE void find_first(CursorType& cursor, size_t bytes) {
  const auto nodes = cursor.nodes();
  for (;;) {
    const Address node = cursor.at();
    nodes.probe().visited(1);
    if (nodes.child_max(node, Side::kLeft) >= bytes) {
      cursor.down(Side::kLeft);
    } else if (nodes.size(node) >= bytes) {
      return cursor.set_key(node);
    } else {
      cursor.down(Side::kRight);
    }
  }
}

// The largest; of several, the lowest address.
template <class CursorType>
void find_worst(CursorType& cursor) {
  find_first(cursor, cursor.nodes().max(cursor.at()));
}

// To a node of the path that was taken, or of its subtree.
template <class CursorType>
void go_back_to(CursorType& cursor, Address node) {
  if constexpr (CursorType::kHasParent) {
    cursor = CursorType::of(cursor.nodes(), node);
  } else {
    while (cursor.at() != node) cursor.leave();
    cursor.set_key(node);
  }
}

// The paper's better fit goes to the child that suffices. If both do, it goes to the one with the
// smaller maximum (left if both are alike). It ends when a node has that very size or no child
// suffices. `remembers` takes the smallest of the path's nodes that suffice, rather than the last.
template <class CursorType>
MMT_ALWAYS_INLINE void find_better(CursorType& cursor, size_t bytes, bool remembers) {
  const auto nodes = cursor.nodes();
  Address best = kNone;
  size_t best_size = std::numeric_limits<size_t>::max();
  for (;;) {
    const Address node = cursor.at();
    nodes.probe().visited(1);
    const size_t size = nodes.size(node);
    if (size >= bytes && size < best_size) {
      best = node;
      best_size = size;
    }
    if (size == bytes) return cursor.set_key(node);
    const size_t left = nodes.child_max(node, Side::kLeft);
    const size_t right = nodes.child_max(node, Side::kRight);
    if (left >= bytes && (right < bytes || left <= right)) {
      cursor.down(Side::kLeft);
    } else if (right >= bytes) {
      cursor.down(Side::kRight);
    } else {
      cursor.set_key(node);
      if (remembers && best != node) go_back_to(cursor, best);
      return;
    }
  }
}

// The smallest; of several, the lowest address. Goes through every subtree that has one of so many
// bytes, in the order of addresses, until a node has that very size.
template <class CursorType>
void find_best(CursorType& cursor, size_t bytes) {
  const auto nodes = cursor.nodes();
  Address best = kNone;
  size_t best_size = std::numeric_limits<size_t>::max();
  bool is_new = true;  // the node has not been looked at, nor what is left of it
  for (;;) {
    const Address node = cursor.at();
    if (is_new) {
      nodes.probe().visited(1);
      if (nodes.child_max(node, Side::kLeft) >= bytes) {
        cursor.down(Side::kLeft);
        continue;
      }
    }
    const size_t size = nodes.size(node);
    if (size >= bytes && size < best_size) {
      best = node;
      best_size = size;
    }
    cursor.set_key(node);
    if (size == bytes) return;
    if (nodes.child_max(node, Side::kRight) >= bytes) {
      cursor.down(Side::kRight);
      is_new = true;
      continue;
    }
    Side came_from = Side::kRight;
    while (came_from == Side::kRight && cursor.parent() != kNone) {
      cursor.set_key(cursor.at());
      came_from = cursor.side();
      cursor.leave();
    }
    if (came_from == Side::kRight) break;
    is_new = false;
  }
  if constexpr (CursorType::kHasParent) {
    go_back_to(cursor, best);
  } else {
    cursor.down_to(best, Way::kKnown);
  }
}

// The lowest address behind `from`, or the lowest of all where there is none behind it.
template <class CursorType>
void find_next(CursorType& cursor, size_t bytes, Address from) {
  const auto nodes = cursor.nodes();
  // The lowest node behind `from` that suffices, or has a larger child that does.
  Address turn = kNone;
  Address node = cursor.at();
  while (node != kNone) {
    nodes.probe().visited(1);
    if (from < node) {
      if (nodes.size(node) >= bytes || nodes.child_max(node, Side::kRight) >= bytes) turn = node;
      node = nodes.child_max(node, Side::kLeft) >= bytes ? nodes.left(node) : kNone;
    } else {
      node = nodes.child_max(node, Side::kRight) >= bytes ? nodes.right(node) : kNone;
    }
  }
  if (turn == kNone) return find_first(cursor, bytes);
  while (cursor.at() != turn) cursor.down(turn < cursor.at() ? Side::kLeft : Side::kRight);
  cursor.set_key(turn);
  if (nodes.size(turn) >= bytes) return;
  cursor.down(Side::kRight);
  find_first(cursor, bytes);
}

}  // namespace mmt::layers::fit
