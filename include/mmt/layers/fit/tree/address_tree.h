#pragma once
// The address-ordered binary tree (ABT) of Rezaei and Kavi: all free chunks in one tree by their
// addresses. It is a fit policy, and fit/policy.h names the paper.
// Coalescing costs no more than the walk to a chunk's place, on which both neighbours lie.
//   Layout    PaperNode or CompactNode (tree/node.h)
//   Balance   NoBalance, Periodic, Scapegoat, WeightBalanced or Treap (tree/balance/). Without one,
//             which is the paper's listing, the tree becomes a list in many a program.
#include <mmt/layers/fit/tree/balance/scapegoat.h>
#include <mmt/layers/fit/tree/trees.h>

namespace mmt::layers::fit {

template <class ArenaType, class Layout = PaperNode, class Balance = Scapegoat>
class AddressTree : public Trees<ArenaType, Layout, Balance, 1> {
 public:
  constexpr explicit AddressTree(Shape shape, TreeOptions options = {},
                                 typename Balance::Options balance = {})
      : Trees<ArenaType, Layout, Balance, 1>(shape, options, balance) {}
};

}  // namespace mmt::layers::fit
