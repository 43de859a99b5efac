// Which chunk a search finds in a tree whose shape is known, and that it goes to no node besides
// its path.
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/fit/tree/address_tree.h>
#include <mmt/layers/fit/tree/segregated_tree.h>

#include "unit/layers/fit/events.h"
#include "unit/layers/fit/planted_tree.h"

namespace mmt::layers::fit {
namespace {

template <class Layout>
class TreeSearch : public ::testing::Test {};
using Layouts = ::testing::Types<PaperNode, CompactNode>;
TYPED_TEST_SUITE(TreeSearch, Layouts);

TYPED_TEST(TreeSearch, BetterFitGoesToTheSmallerMaximumThatSuffices) {
  //                 4096: 640
  //        2048: 96              8192: 112
  //   1024: 128   3072: 512   6144: 320   9216: 96
  PlantedTree<TypeParam> planted(
      {{4096, 640}, {2048, 96}, {8192, 112}, {1024, 128}, {3072, 512}, {6144, 320}, {9216, 96}});
  EXPECT_EQ(planted.find(300, Fit::kBetter), 6144u);
  EXPECT_EQ(planted.find(320, Fit::kBetter), 6144u);
  EXPECT_EQ(planted.find(321, Fit::kBetter), 3072u) << "only the left child suffices";
  EXPECT_EQ(planted.find(513, Fit::kBetter), 4096u) << "no child suffices";
  EXPECT_EQ(planted.find(112, Fit::kBetter), 8192u) << "the very size ends the walk";
  EXPECT_EQ(planted.find(641, Fit::kBetter), kNone);
}
TYPED_TEST(TreeSearch, BetterFitGoesLeftWhereBothMaximaAreAlike) {
  PlantedTree<TypeParam> planted({{4096, 640}, {2048, 128}, {8192, 128}});
  EXPECT_EQ(planted.find(100, Fit::kBetter), 2048u);
}
TYPED_TEST(TreeSearch, BetterFitRemembersASmallerChunkOfThePath) {
  PlantedTree<TypeParam> planted({{4096, 128}, {2048, 512}, {1024, 640}});
  EXPECT_EQ(planted.find(100, Fit::kBetter), 1024u);
  EXPECT_EQ(planted.find(100, Fit::kBetter, true), 4096u);
  EXPECT_EQ(planted.find(200, Fit::kBetter, true), 2048u);
  EXPECT_STREQ(planted.fault(), nullptr);
}
TYPED_TEST(TreeSearch, NextFitBeginsBehindTheLastAndWrapsAround) {
  PlantedTree<TypeParam> planted({{4096, 64}, {2048, 128}, {1024, 64}, {8192, 128}, {6144, 96}});
  EXPECT_EQ(planted.find(80, Fit::kNext), 2048u);
  EXPECT_EQ(planted.find(80, Fit::kNext), 6144u);
  EXPECT_EQ(planted.find(100, Fit::kNext), 8192u);
  EXPECT_EQ(planted.find(10, Fit::kNext), 1024u);
}

// Against all chunks, in trees that requests have shaped.
TYPED_TEST(TreeSearch, AFirstOrBetterFitVisitsItsPathAlone) {
  for (const Fit fit : {Fit::kFirst, Fit::kBetter, Fit::kWorst}) {
    Random random(static_cast<uint64_t>(fit) + 7);
    PlantedTree<TypeParam> planted({});
    std::vector<FreeChunk> chunks;
    for (size_t i = 1; i <= 600; ++i) chunks.push_back({i * 1024, 48 + random.below(60) * 16});
    for (size_t i = chunks.size(); i > 1; --i) std::swap(chunks[i - 1], chunks[random.below(i)]);
    for (const FreeChunk chunk : chunks) planted.insert(chunk);
    for (size_t bytes = 16; bytes <= 1000; bytes += 16) {
      planted.arena().probe() = {};
      const Address found = planted.find(bytes, fit);
      const size_t visits = planted.arena().probe().take_visits();
      walk_in_order(planted.nodes(), planted.tree().root(), [&](Address node, size_t depth) {
        if (node == found) {
          EXPECT_EQ(visits, depth + 1);
        }
        return true;
      });
      if (found == kNone) {
        EXPECT_EQ(visits, 1u);
      }
      EXPECT_EQ(planted.arena().probe().rebalancing, 0u);
    }
  }
}

TYPED_TEST(TreeSearch, AFreeVisitsThePathToItsPlace) {
  PlantedTree<TypeParam> planted({{4096, 64}, {2048, 64}, {8192, 64}, {3072, 64}});
  planted.arena().probe() = {};
  planted.insert({2560, 64});
  EXPECT_EQ(planted.arena().probe().take_visits(), 3u);
  planted.insert_joined({8256, 64});
  EXPECT_EQ(planted.arena().probe().take_visits(), 2u);
}

using ProbedArena = Arena<uint64_t, ReservedHeap<size_t{1} << 30>, TreeProbe>;

// What no class has costs a look at each tree that is not empty, and is cut from a larger class.
TYPED_TEST(TreeSearch, ARequestGoesOnToLargerClasses) {
  SegregatedTree<ProbedArena, TypeParam> policy({Header::kNone, 16, 4096},
                                                TreeOptions{.split = SplitEnd::kLow});
  const Address first = policy.allocate(64);
  const Address large = policy.allocate(256);
  static_cast<void>(policy.allocate(64));
  policy.free(first, 64);
  policy.free(large, 256);
  policy.arena().probe() = {};
  EXPECT_EQ(policy.allocate(80), large);
  EXPECT_EQ(policy.arena().probe().splits, 1u);
  EXPECT_EQ(policy.tree(2).count(), 1u) << "176 bytes are left over";
  EXPECT_EQ(policy.arena().probe().visits, 2u) << "the class of 64, that of 256";
}

// Both neighbours are free, and together with them it belongs to a larger class.
TYPED_TEST(TreeSearch, AChunkThatChangesItsClassIsVisitedOnceInEach) {
  for (const Classes classes : {Classes::kLocal, Classes::kProbe}) {
    SCOPED_TRACE(static_cast<int>(classes));
    SegregatedTree<ProbedArena, TypeParam> policy(
        {Header::kNone, 16, 4096},
        TreeOptions{.coalesces = true, .split = SplitEnd::kLow, .classes = classes});
    Address blocks[8];
    for (Address& one : blocks) one = policy.allocate(64);
    policy.free(blocks[0], 64);
    policy.free(blocks[2], 64);
    ASSERT_EQ(policy.tree(1).count(), 2u);
    policy.arena().probe() = {};
    policy.free(blocks[1], 64);
    EXPECT_EQ(policy.arena().probe().joined, 2u);
    EXPECT_EQ(policy.tree(1).count(), 0u);
    EXPECT_EQ(policy.tree(3).count(), 1u);
    EXPECT_EQ(policy.arena().probe().visits, 2u);
  }
}

// The way to the end of the heap is gone once, however often growth looks there.
TYPED_TEST(TreeSearch, GrowthVisitsTheWayToItsPlaceOnce) {
  AddressTree<ProbedArena, TypeParam> policy({Header::kNone, 16, 4096},
                                             TreeOptions{.coalesces = true});
  const Address first = policy.allocate(4096);
  static_cast<void>(policy.allocate(4096));
  policy.free(first, 4096);
  ASSERT_EQ(policy.tree(0).count(), 1u);
  policy.arena().probe() = {};
  ASSERT_NE(policy.allocate(8192), kNone);
  EXPECT_EQ(policy.arena().probe().visits, 2u) << "the root knows of none; then its place";
}

// Best fit goes back to what it has seen.
TYPED_TEST(TreeSearch, ABestFitVisitsEachNodeOnce) {
  PlantedTree<TypeParam> planted({{4096, 64}, {2048, 96}, {1024, 80}, {8192, 128}, {6144, 64}});
  planted.arena().probe() = {};
  EXPECT_EQ(planted.find(72, Fit::kBest), 1024u);
  EXPECT_EQ(planted.arena().probe().take_visits(), 4u) << "all but the one that is too small";
}

}  // namespace
}  // namespace mmt::layers::fit
