#pragma once
// Aragon's and Seidel's treap (1989) is a heap by priorities that look random. So the tree is as if
// its chunks had come in random order. The priority is a hash of the address, so that no node has
// to hold it. A search takes O(log n) steps in the mean, and an update two rotations.
#include <cstddef>
#include <cstdint>

#include <mmt/layers/fit/tree/balance/none.h>

namespace mmt::layers::fit {

class Treap : public Unbalanced {
 public:
  struct Options {};
  static constexpr bool kJoins = true;

  constexpr explicit Treap(Options) {}

  // A bijection, so that no two addresses are alike: Stafford's 13th mixing function.
  static constexpr uint64_t priority(Address at) {
    uint64_t bits = at;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
  }

  template <class CursorType>
  static size_t settle(CursorType& cursor) {
    const auto nodes = cursor.nodes();
    const Address node = cursor.at();
    cursor.set_key(node);
    for (size_t levels = 0;; ++levels) {
      const Side side = higher(nodes.left(node), nodes.right(node));
      const Address child = nodes.child(node, side);
      if (child == kNone || priority(child) < priority(node)) return levels;
      cursor.put(nodes.rotate(node, side));
      cursor.down(opposite(side));
    }
  }

  template <class CursorType>
  static void mend(CursorType& cursor) {
    const auto nodes = cursor.nodes();
    const Address node = cursor.at();
    const Side side = cursor.key() < node ? Side::kLeft : Side::kRight;
    const Address child = nodes.child(node, side);
    if (child != kNone && priority(child) > priority(node)) cursor.put(nodes.rotate(node, side));
  }

  template <class CursorType>
  static size_t join(CursorType& cursor) {
    const auto nodes = cursor.nodes();
    cursor.set_key(cursor.at());
    Address left = nodes.left(cursor.at());
    Address right = nodes.right(cursor.at());
    size_t levels = 0;
    for (; left != kNone && right != kNone; ++levels) {
      nodes.probe().rebalanced(1);
      if (higher(left, right) == Side::kLeft) {
        cursor.put(left);
        cursor.down(Side::kRight);
        left = cursor.at();
      } else {
        cursor.put(right);
        cursor.down(Side::kLeft);
        right = cursor.at();
      }
    }
    cursor.put(left != kNone ? left : right);
    return levels;
  }

  template <class NodesType>
  static const char* broken(const NodesType& nodes, Address node) {
    for (const Address child : {nodes.left(node), nodes.right(node)}) {
      if (child != kNone && priority(child) > priority(node)) return "a child's priority is higher";
    }
    return nullptr;
  }

 private:
  // The side of the two that comes first; with none at all, either.
  static Side higher(Address left, Address right) {
    if (left == kNone) return Side::kRight;
    if (right == kNone) return Side::kLeft;
    return priority(left) > priority(right) ? Side::kLeft : Side::kRight;
  }
};

}  // namespace mmt::layers::fit
