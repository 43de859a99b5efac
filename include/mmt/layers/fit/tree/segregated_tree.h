#pragma once
// The segregated binary trees (SBT) of Rezaei and Kavi: a tree of addresses for each class of 64
// bytes. The last tree is for all that is larger. The paper says "8 trees" and describes 9: below
// 64 bytes, seven steps up to 512, and above. With eight, the last begins at 448. It is a fit
// policy, and fit/policy.h names the paper.
#include <mmt/layers/fit/tree/balance/scapegoat.h>
#include <mmt/layers/fit/tree/trees.h>

namespace mmt::layers::fit {

template <class ArenaType, class Layout = PaperNode, class Balance = Scapegoat>
class SegregatedTree : public Trees<ArenaType, Layout, Balance, 9> {
 public:
  constexpr explicit SegregatedTree(Shape shape, TreeOptions options = {},
                                    typename Balance::Options balance = {})
      : Trees<ArenaType, Layout, Balance, 9>(shape, options, balance) {}
};

}  // namespace mmt::layers::fit
