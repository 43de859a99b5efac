#pragma once
// This is Adams's weight-balanced tree (1992) with the parameters of Hirai and Yamamoto (2011). A
// node's two subtrees are each counted with one more. Neither count is more than three times the
// other. The tree needs a count in each node. A search takes log(n + 1)/log(4/3) steps at most, and
// so does an update.
#include <cstddef>

#include <mmt/layers/fit/tree/balance/none.h>

namespace mmt::layers::fit {

class WeightBalanced : public Unbalanced {
 public:
  struct Options {};
  static constexpr bool kCounted = true;

  constexpr explicit WeightBalanced(Options) {}

  template <class CursorType>
  static void mend(CursorType& cursor) {
    const auto nodes = cursor.nodes();
    const Address node = cursor.at();
    const size_t left = weight(nodes, nodes.left(node));
    const size_t right = weight(nodes, nodes.right(node));
    if (left > kMost * right) {
      cursor.put(lift(nodes, node, Side::kLeft));
    } else if (right > kMost * left) {
      cursor.put(lift(nodes, node, Side::kRight));
    }
  }

  template <class NodesType>
  static const char* broken(const NodesType& nodes, Address node) {
    const size_t left = weight(nodes, nodes.left(node));
    const size_t right = weight(nodes, nodes.right(node));
    return left > kMost * right || right > kMost * left ? "a subtree outweighs the other" : nullptr;
  }

 private:
  static constexpr size_t kMost = 3;
  static constexpr size_t kInnerMost = 2;  // of the outer grandchild, else the inner one is lifted

  template <class NodesType>
  static size_t weight(const NodesType& nodes, Address root) {
    return nodes.count(root) + 1;
  }
  template <class NodesType>
  static Address lift(const NodesType& nodes, Address node, Side heavy) {
    const Address child = nodes.child(node, heavy);
    const size_t inner = weight(nodes, nodes.child(child, opposite(heavy)));
    const size_t outer = weight(nodes, nodes.child(child, heavy));
    if (inner >= kInnerMost * outer) {
      const Address lifted = nodes.rotate(child, opposite(heavy));
      nodes.set_child(node, heavy, lifted);
      nodes.set_parent(lifted, node);
    }
    return nodes.rotate(node, heavy);
  }
};

}  // namespace mmt::layers::fit
