// Makes tree policies by their run-time choices; each *_tree_*.cpp has one template and
// word.
#pragma once

#include <memory>

#include <mmt/layers/fit/tree/balance/none.h>
#include <mmt/layers/fit/tree/balance/periodic.h>
#include <mmt/layers/fit/tree/balance/scapegoat.h>
#include <mmt/layers/fit/tree/balance/treap.h>
#include <mmt/layers/fit/tree/balance/weight.h>
#include <mmt/layers/fit/tree/options.h>

#include "sim/models/factory.h"
#include "sim/models/makers.h"
#include "sim/models/policy_model.h"

namespace mmt::sim {

template <class Policy>
std::unique_ptr<Model> make_tree_of(const Spec& spec) {
  const layers::fit::TreeOptions options{spec.fit,     spec.coalescing, spec.split,
                                         spec.classes, spec.trees,      spec.remembers};
  return make_policy_model<Policy>(shape_of(spec), options);
}

template <template <class, class, class> class Tree, class ArenaType, class Node>
std::unique_ptr<Model> make_tree_with(const Spec& spec) {
  namespace fit = layers::fit;
  switch (spec.balance) {
    case Balance::kPeriodic:
      return make_tree_of<Tree<ArenaType, Node, fit::Periodic>>(spec);
    case Balance::kScapegoat:
      return make_tree_of<Tree<ArenaType, Node, fit::Scapegoat>>(spec);
    case Balance::kWeight:
      return make_tree_of<Tree<ArenaType, Node, fit::WeightBalanced>>(spec);
    case Balance::kTreap:
      return make_tree_of<Tree<ArenaType, Node, fit::Treap>>(spec);
    default:
      return make_tree_of<Tree<ArenaType, Node, fit::NoBalance>>(spec);
  }
}

template <template <class, class, class> class Tree, class ArenaType>
std::unique_ptr<Model> make_tree(const Spec& spec) {
  return spec.node == Node::kPaper
             ? make_tree_with<Tree, ArenaType, layers::fit::PaperNode>(spec)
             : make_tree_with<Tree, ArenaType, layers::fit::CompactNode>(spec);
}

}  // namespace mmt::sim
