// Packings are right, and not below the bound.
#include "sim/bounds/bounds.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include <mmt/layers/heap.h>

#include "sim/bounds/gap_tree.h"
#include "sim/replay/traces_for_tests.h"

namespace mmt::sim {
namespace {

// No two blocks that live at the same time overlap, and the highest is what is told.
void expect_packed(const std::vector<Packed>& blocks, uint64_t bytes) {
  uint64_t highest = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Packed& one = blocks[i];
    highest = std::max(highest, one.at + one.bytes);
    for (size_t j = 0; j < i; ++j) {
      const Packed& other = blocks[j];
      if (one.birth >= other.death || other.birth >= one.death) continue;
      ASSERT_TRUE(one.at + one.bytes <= other.at || other.at + other.bytes <= one.at)
          << "blocks " << j << " and " << i;
    }
  }
  EXPECT_EQ(highest, bytes);
}

TEST(Bounds, PackingsAreRightAndNotBelowTheBound) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    EventList source(some_trace(3000, seed, 100));
    std::vector<Packed> blocks;
    const Bounds bounds = find_bounds(source, 16, &blocks);
    expect_packed(blocks, bounds.packing_bytes);
    EXPECT_GE(bounds.packing_bytes, bounds.rounded_most_live);
    EXPECT_LE(bounds.packing_bytes, bounds.bump_bytes);
    EXPECT_GE(bounds.rounded_most_live, bounds.most_live);
  }
}

TEST(Bounds, OfSmallBlocksThePackingIsNearTheBound) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    EventList source(some_trace(30000, seed, 500, 400, 400));
    const Bounds bounds = find_bounds(source, 16);
    EXPECT_LE(bounds.packing_bytes, bounds.rounded_most_live * 107 / 100) << bounds.packing;
  }
}

TEST(Bounds, ByHand) {
  TraceText trace;
  trace.born(100).born(10).died(1).born(60).resized(2, 30).died(3);
  EventList source(trace.events());
  const Bounds bounds = find_bounds(source, 1);
  EXPECT_EQ(bounds.most_live, 110U);
  EXPECT_EQ(bounds.most_live_event, 1U);
  EXPECT_EQ(bounds.rounded_most_live, 110U);
  EXPECT_EQ(bounds.bump_bytes, 100U + 10 + 60 + 30);
  EXPECT_EQ(bounds.packing_bytes, 110U);
}

TEST(Bounds, WhatNobodyGetsCountsForNothing) {
  TraceText trace;
  trace.born(UINT64_MAX)
      .born(8)
      .resized(2, UINT64_MAX)
      .born(layers::kMaxRequest + 1)
      .resized(1, 40);
  trace.died(3).died(2).died(1);
  EventList source(trace.events());
  const Bounds bounds = find_bounds(source, 16);
  EXPECT_EQ(bounds.most_live, 48U);
  EXPECT_EQ(bounds.most_live_event, 4U);
  EXPECT_EQ(bounds.bump_bytes, 16U + 48);
  EXPECT_EQ(bounds.packing_bytes, 16U + 48);
}

TEST(Bounds, SumsStayWithinANumber) {
  TraceText trace;
  for (int i = 0; i < 9; ++i) trace.born(uint64_t{1} << 61);
  EventList source(trace.events());
  const Bounds bounds = find_bounds(source, 16);
  EXPECT_EQ(bounds.most_live, uint64_t{3} << 61);
  EXPECT_EQ(bounds.bump_bytes, uint64_t{3} << 61);
}

TEST(Bounds, OfNothing) {
  EventList source({});
  EXPECT_EQ(find_bounds(source, 16).packing_bytes, 0U);
}

// Against bytes that are marked one by one.
TEST(GapTree, GivesTheLowestPlace) {
  std::mt19937_64 random(7);
  GapTree gaps(5);
  std::vector<bool> used(20000);
  std::fill_n(used.begin(), 5, true);
  std::map<uint64_t, uint64_t> taken;
  for (int i = 0; i < 4000; ++i) {
    if (taken.empty() || (taken.size() < 100 && random() % 2 == 0)) {
      const uint64_t bytes = 1 + random() % 50;
      uint64_t wanted = 0;
      for (uint64_t run = 0, at = 0; run < bytes; ++at) {
        run = used[at] ? 0 : run + 1;
        wanted = at + 1 - run;
      }
      ASSERT_EQ(gaps.take(bytes), wanted);
      std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(wanted), bytes, true);
      taken[wanted] = bytes;
    } else {
      auto one = taken.begin();
      std::advance(one, random() % taken.size());
      gaps.give(one->first, one->second);
      std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(one->first), one->second, false);
      taken.erase(one);
    }
  }
}

}  // namespace
}  // namespace mmt::sim
