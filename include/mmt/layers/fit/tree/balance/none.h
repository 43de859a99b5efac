#pragma once
// This file tells what a balance scheme is, and has the one that does nothing: the paper's trees as
// they grow. A tree has its own object of the scheme. The object is told of each change, and may
// mend the tree as the cursor climbs from it. The object counts what it looks at as rebalanced.
#include <concepts>
#include <cstddef>
#include <limits>

#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/tree/cursor.h>

namespace mmt::layers::fit {

template <class B, class CursorType>
concept BalanceScheme = requires(B& balance, const B& constant, CursorType& cursor, size_t n) {
  typename B::Options;
  requires std::constructible_from<B, typename B::Options>;
  // A node holds how many its subtree has.
  { B::kCounted } -> std::convertible_to<bool>;
  // A node with two children is taken out by joining them, not by its successor in its place.
  { B::kJoins } -> std::convertible_to<bool>;
  // A leaf has been put so many links below the root, and the tree has so many nodes now; the
  // cursor is about to climb.
  balance.inserted(n, n);
  balance.removed(n);
  // The node at the cursor has another address. How many levels down the cursor went with it.
  { balance.settle(cursor) } -> std::same_as<size_t>;
  // The cursor came to a node below which something has changed.
  balance.mend(cursor);
  // The climb goes on though nothing changes any more.
  { constant.is_seeking() } -> std::same_as<bool>;
  // The cursor is at a node with two children: the place gets their join. How many levels down the
  // cursor went.
  { balance.join(cursor) } -> std::same_as<size_t>;
  // After the climb: all of the tree of so many nodes is to be built anew.
  { constant.wants_rebuild(n) } -> std::same_as<bool>;
  balance.rebuilt(n);
  // No node lies more links below the root of a tree of so many.
  { constant.most_depth(n) } -> std::same_as<size_t>;
  // What is wrong at the node, or null.
  { constant.broken(cursor.nodes(), n) } -> std::same_as<const char*>;
};

inline constexpr size_t kAnyDepth = std::numeric_limits<size_t>::max();

// Base of schemes that have nothing to say on most of that.
struct Unbalanced {
  static constexpr bool kCounted = false;
  static constexpr bool kJoins = false;

  static void inserted(size_t, size_t) {}
  static void removed(size_t) {}
  template <class CursorType>
  static size_t settle(CursorType&) {
    return 0;
  }
  template <class CursorType>
  static void mend(CursorType&) {}
  static bool is_seeking() { return false; }
  template <class CursorType>
  static size_t join(CursorType&) {
    return 0;
  }
  static bool wants_rebuild(size_t) { return false; }
  static void rebuilt(size_t) {}
  static size_t most_depth(size_t) { return kAnyDepth; }
  template <class NodesType>
  static const char* broken(const NodesType&, Address) {
    return nullptr;
  }
};

struct NoBalance : Unbalanced {
  struct Options {};
  constexpr explicit NoBalance(Options) {}
};

}  // namespace mmt::layers::fit
