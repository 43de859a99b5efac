// Where the paper's listing of INSERT, COALESCE and ADJUSTSIZE goes wrong, case by case.
#include <pthread.h>

#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/fit/tree/address_tree.h>
#include <mmt/layers/fit/tree/segregated_tree.h>

#include "unit/layers/fit/planted_tree.h"
#include "unit/layers/fit/tree_fuzz.h"

namespace mmt::layers::fit {
namespace {

template <class Layout>
class TreeCases : public ::testing::Test {};
using Layouts = ::testing::Types<PaperNode, CompactNode>;
TYPED_TEST_SUITE(TreeCases, Layouts);

using Chunks = std::vector<Address>;

TYPED_TEST(TreeCases, TheFirstChunkBecomesTheRoot) {
  PlantedTree<TypeParam> planted({});
  EXPECT_EQ(planted.insert_joined({1024, 64}).neighbours, 0u);
  EXPECT_EQ(planted.tree().root(), 1024u);
  EXPECT_STREQ(planted.fault(), nullptr);
  planted.remove(1024);
  EXPECT_TRUE(planted.tree().is_empty());
}

TYPED_TEST(TreeCases, ALeafKnowsItsParentSoThatTheRootHearsOfIt) {
  PlantedTree<TypeParam> planted({{4096, 64}, {2048, 64}, {3072, 64}, {3584, 256}});
  EXPECT_EQ(planted.nodes().child_max(4096, Side::kLeft), 256u);
  planted.remove(3584);
  EXPECT_EQ(planted.nodes().child_max(4096, Side::kLeft), 64u);
  EXPECT_STREQ(planted.fault(), nullptr);
}

// The lower neighbour above the higher one in the tree, and the other way round.
TYPED_TEST(TreeCases, BothNeighboursJoinWhicheverIsAbove) {
  for (const bool is_lower_above : {true, false}) {
    const FreeChunk lower{1024, 128};
    const FreeChunk higher{1216, 192};
    PlantedTree<TypeParam> planted(
        {{2048, 64}, is_lower_above ? lower : higher, is_lower_above ? higher : lower, {512, 64}});
    const Joined joined = planted.insert_joined({1152, 64});
    EXPECT_EQ(joined.neighbours, 2u);
    EXPECT_EQ(joined.whole.at, 1024u);
    EXPECT_EQ(joined.whole.bytes, 384u);
    EXPECT_EQ(planted.addresses(), (Chunks{512, 1024, 2048}));
    EXPECT_EQ(planted.nodes().child_max(2048, Side::kLeft), 384u);
    EXPECT_STREQ(planted.fault(), nullptr);
  }
}

// The deeper neighbour has a child, which takes its place.
TYPED_TEST(TreeCases, TheChildOfANeighbourThatGoesStays) {
  PlantedTree<TypeParam> planted({{1024, 64}, {4096, 64}, {1152, 64}, {2048, 96}, {3072, 64}});
  EXPECT_EQ(planted.insert_joined({1088, 64}).neighbours, 2u);
  EXPECT_EQ(planted.addresses(), (Chunks{1024, 2048, 3072, 4096}));
  EXPECT_EQ(planted.nodes().size(1024), 192u);
  EXPECT_EQ(planted.nodes().child_max(4096, Side::kLeft), 96u);
  EXPECT_STREQ(planted.fault(), nullptr);
}

// The block lies before the node: the node moves to it, the root and its children's parents too.
TYPED_TEST(TreeCases, AChunkBeforeTheRootMovesTheRoot) {
  PlantedTree<TypeParam> planted({{2048, 64}, {1024, 64}, {4096, 64}});
  const Joined joined = planted.insert_joined({1920, 128});
  EXPECT_EQ(joined.whole.at, 1920u);
  EXPECT_EQ(joined.whole.bytes, 192u);
  EXPECT_EQ(planted.tree().root(), 1920u);
  EXPECT_EQ(planted.addresses(), (Chunks{1024, 1920, 4096}));
  EXPECT_STREQ(planted.fault(), nullptr);
}
TYPED_TEST(TreeCases, AChunkBeforeAnInnerNodeMovesIt) {
  PlantedTree<TypeParam> planted({{8192, 64}, {2048, 64}, {1024, 64}, {4096, 64}});
  planted.insert_joined({1920, 128});
  EXPECT_EQ(planted.nodes().left(8192), 1920u);
  EXPECT_EQ(planted.nodes().left(1920), 1024u);
  EXPECT_EQ(planted.nodes().right(1920), 4096u);
  EXPECT_EQ(planted.nodes().child_max(8192, Side::kLeft), 192u);
  EXPECT_STREQ(planted.fault(), nullptr);
}

TYPED_TEST(TreeCases, AMaximumShrinksWhereTheOtherSideHasLess) {
  PlantedTree<TypeParam> planted({{4096, 64}, {2048, 96}, {1024, 80}, {3072, 512}, {8192, 128}});
  planted.change(3072, {3072, 64});
  EXPECT_EQ(planted.nodes().child_max(4096, Side::kLeft), 96u);
  EXPECT_EQ(planted.nodes().child_max(4096, Side::kRight), 128u);
  EXPECT_STREQ(planted.fault(), nullptr);
  planted.remove(8192);
  EXPECT_EQ(planted.nodes().child_max(4096, Side::kRight), 0u);
}

// The successor is the largest of the subtree that it leaves.
TYPED_TEST(TreeCases, MaximaFollowFromWhereTheSuccessorWas) {
  PlantedTree<TypeParam> planted(
      {{1024, 64}, {512, 64}, {8192, 64}, {4096, 64}, {2048, 512}, {3072, 80}, {9216, 64}});
  planted.remove(1024);
  EXPECT_EQ(planted.tree().root(), 2048u);
  EXPECT_EQ(planted.nodes().child_max(8192, Side::kLeft), 80u);
  EXPECT_EQ(planted.nodes().child_max(2048, Side::kRight), 80u);
  EXPECT_EQ(planted.addresses(), (Chunks{512, 2048, 3072, 4096, 8192, 9216}));
  EXPECT_STREQ(planted.fault(), nullptr);
}
TYPED_TEST(TreeCases, ARightChildMayBeTheSuccessorItself) {
  PlantedTree<TypeParam> planted({{1024, 64}, {512, 64}, {2048, 64}, {3072, 256}});
  planted.remove(1024);
  EXPECT_EQ(planted.tree().root(), 2048u);
  EXPECT_EQ(planted.nodes().child_max(2048, Side::kRight), 256u);
  EXPECT_STREQ(planted.fault(), nullptr);
}

TYPED_TEST(TreeCases, ClimbsEndWhereNothingChanges) {
  PlantedTree<TypeParam> planted({{8192, 4096}, {4096, 2048}, {2048, 1024}, {1024, 512}});
  planted.arena().probe() = {};
  planted.insert({512, 64});
  EXPECT_EQ(planted.arena().probe().rebalancing, 2u)
      << "the parent, and one that it changes no more";
}

TYPED_TEST(TreeCases, WhatIsFreedTwiceIsReported) {
  PlantedTree<TypeParam> planted({{4096, 256}, {1024, 256}});
  EXPECT_DEATH(planted.insert({4096, 256}), "free already");
  EXPECT_DEATH(planted.insert({4160, 64}), "free already");
  EXPECT_DEATH(planted.insert_joined({1024, 64}), "free already");
  EXPECT_DEATH(planted.insert_joined({960, 128}), "free already");
}

// A walk that called itself would need far more stack than there is.
template <class Layout>
void* deep_walks(void* fault) {
  constexpr size_t kNodes = 8000;
  PlantedTree<Layout> planted({});
  for (size_t i = 1; i <= kNodes; ++i) planted.insert({i * 256, 64 + i % 7 * 16});
  planted.insert({(kNodes + 1) * 256, 200});
  const bool is_found = planted.find(200, Fit::kFirst) == (kNodes + 1) * 256 &&
                        planted.find(150, Fit::kBest) == 256 * 6;
  for (size_t i = 1; i < kNodes; i += 2) planted.remove(i * 256);
  *static_cast<const char**>(fault) = is_found ? planted.fault() : "a chunk was not found";
  return nullptr;
}
TYPED_TEST(TreeCases, AListOfATreeTakesNoStack) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, size_t{64} << 10), 0);
  pthread_t thread;
  const char* fault = "the thread did not run";
  ASSERT_EQ(pthread_create(&thread, &attributes, deep_walks<TypeParam>, &fault), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_STREQ(fault, nullptr);
}

TYPED_TEST(TreeCases, NoChunkIsLessThanANode) {
  using Policy = AddressTree<TestArena<uint64_t>, TypeParam>;
  Policy policy({Header::kNone, 8, 4096}, TreeOptions{.fit = Fit::kBest});
  EXPECT_EQ(Policy::kLeastChunk, (std::is_same_v<TypeParam, PaperNode> ? 48u : 32u));
  const Address small = policy.allocate(1);
  EXPECT_EQ(policy.chunk_bytes(small, 1), Policy::kLeastChunk);
  // A rest of less than a node goes with the block.
  const Address large = policy.allocate(512);
  static_cast<void>(policy.allocate(64));
  policy.free(large, 512);
  const Address again = policy.allocate(512 - Policy::kLeastChunk + 8);
  EXPECT_EQ(again, large);
  EXPECT_EQ(policy.chunk_bytes(again, 512 - Policy::kLeastChunk + 8), 512u);
  EXPECT_STREQ(policy.broken_invariant(), nullptr);
}

// Two chunks of the first class make one of the third.
TYPED_TEST(TreeCases, WhatIsJoinedGoesToItsClass) {
  for (const Classes classes : {Classes::kLocal, Classes::kProbe, Classes::kTags}) {
    using Policy = SegregatedTree<TestArena<uint64_t>, TypeParam>;
    const TreeOptions options{Fit::kFirst, true, SplitEnd::kLow, classes, 8, false};
    Policy policy({Header::kNone, 16, 4096}, options);
    const Address first = policy.allocate(112);
    const Address second = policy.allocate(112);
    const Address last = policy.allocate(112);
    ASSERT_EQ(first + 224, last);
    policy.free(first, 112);
    EXPECT_EQ(policy.tree(1).count(), 1u);
    policy.free(second, 112);
    EXPECT_EQ(policy.tree(1).count(), 0u);
    EXPECT_EQ(policy.tree(3).count(), 1u);
    EXPECT_STREQ(policy.broken_invariant(), nullptr);
  }
}

// Neighbours of different classes: what tells the three modes apart.
TYPED_TEST(TreeCases, OnlyTheClassItselfIsLookedAtWhereThatIsTheRule) {
  for (const Classes classes : {Classes::kLocal, Classes::kProbe, Classes::kTags}) {
    using Policy = SegregatedTree<TestArena<uint64_t>, TypeParam>;
    const TreeOptions options{Fit::kFirst, true, SplitEnd::kLow, classes, 8, false};
    Policy policy({Header::kNone, 16, 4096}, options);
    const Address first = policy.allocate(112);
    const Address second = policy.allocate(240);
    static_cast<void>(policy.allocate(112));
    policy.free(first, 112);
    policy.free(second, 240);
    EXPECT_EQ(policy.free_chunks(), classes == Classes::kLocal ? 3u : 2u);
    EXPECT_STREQ(policy.broken_invariant(), nullptr);
  }
}

TYPED_TEST(TreeCases, WhatTheArenaGrowsByJoinsItsEnd) {
  using Policy = AddressTree<TestArena<uint64_t>, TypeParam>;
  Policy policy({Header::kNone, 16, 4096}, TreeOptions{.coalesces = true, .split = SplitEnd::kLow});
  static_cast<void>(policy.allocate(3000));
  ASSERT_EQ(policy.free_chunks(), 1u);
  static_cast<void>(policy.allocate(5000));
  EXPECT_EQ(policy.free_chunks(), 1u);
  EXPECT_EQ(policy.arena().end(), 2 * 4096u) << "3000 + 5000 bytes fit into two pages";
  EXPECT_STREQ(policy.broken_invariant(), nullptr);
}

TYPED_TEST(TreeCases, WithoutMemoryNothingChanges) {
  using Policy = AddressTree<Arena<uint64_t, ReservedHeap<size_t{1} << 20>>, TypeParam>;
  Policy policy({});
  const Address block = policy.allocate(100);
  const size_t free_bytes = policy.free_bytes();
  EXPECT_EQ(policy.allocate(size_t{1} << 20), kNone);
  EXPECT_EQ(policy.allocate(SIZE_MAX), kNone);
  EXPECT_EQ(policy.free_bytes(), free_bytes);
  policy.free(block, 0);
  EXPECT_STREQ(policy.broken_invariant(), nullptr);
}

}  // namespace
}  // namespace mmt::layers::fit
