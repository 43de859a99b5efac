// A tree whose chunks a test puts where it wants them, with what it needs to look at the result.
#pragma once

#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/tree/balance/none.h>
#include <mmt/layers/fit/tree/check_tree.h>
#include <mmt/layers/fit/tree/tree.h>
#include <mmt/layers/fit/tree/walk.h>
#include <mmt/layers/source/reserved_heap.h>

#include "unit/layers/fit/tree_probe.h"

namespace mmt::layers::fit {

template <class Layout = PaperNode, class Balance = NoBalance>
class PlantedTree {
 public:
  using ArenaType = Arena<uint64_t, ReservedHeap<size_t{1} << 30>, TreeProbe>;
  using TreeType = Tree<ArenaType, Layout, Balance>;

  // In this order, so that the test knows the shape.
  explicit PlantedTree(std::initializer_list<FreeChunk> chunks,
                       typename Balance::Options options = {})
      : tree_(options) {
    arena_.grow(size_t{64} << 20);
    for (const FreeChunk chunk : chunks) tree_.insert(arena_, chunk);
  }

  TreeType& tree() { return tree_; }
  ArenaType& arena() { return arena_; }
  auto nodes() { return typename TreeType::NodesType(arena_); }

  void insert(FreeChunk chunk) { tree_.insert(arena_, chunk); }
  Joined insert_joined(FreeChunk chunk) { return tree_.insert_joined(arena_, chunk); }
  void remove(Address node) {
    auto cursor = tree_.at(arena_, node, Way::kNew);
    tree_.remove(cursor);
  }
  void change(Address node, FreeChunk chunk) {
    auto cursor = tree_.at(arena_, node, Way::kNew);
    tree_.change(cursor, chunk);
  }
  Address find(size_t bytes, Fit fit, bool remembers = false) {
    return tree_.find(arena_, bytes, fit, remembers).at();
  }

  std::vector<Address> addresses() {
    std::vector<Address> all;
    walk_in_order(nodes(), tree_.root(), [&](Address node, size_t) {
      all.push_back(node);
      return true;
    });
    return all;
  }
  size_t depth() {
    size_t deepest = 0;
    walk_in_order(nodes(), tree_.root(), [&](Address, size_t depth) {
      deepest = std::max(deepest, depth);
      return true;
    });
    return deepest;
  }
  const char* fault() { return check_tree(nodes(), tree_); }

 private:
  ArenaType arena_{4096, 64};
  TreeType tree_;
};

}  // namespace mmt::layers::fit
