// How large blocks grow and shrink, and what is known of their room to grow.
#include "heap/store/large_growth.h"

#include <cstring>

#include <gtest/gtest.h>

#include "support/large_runs_fixture.h"

namespace mmt::store {
namespace {

class LargeGrowthTest : public test::LargeRunsFixture {
 protected:
  LargeGrowthTest() { growth.open(&region, &runs, &tally, &large); }

  char* take_growing(size_t bytes, size_t extent) {
    return static_cast<char*>(growth.take(lock, bytes, extent));
  }
  bool resize(void* block, size_t bytes) { return growth.resize(lock, block, bytes, &fresh); }

  LargeGrowth growth;
  size_t fresh = 0;
};

TEST_F(LargeGrowthTest, LargeBlocksGrowShrinkAndComeBack) {
  char* const block = take(10 * kSlotBytes);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(clean_bytes(), 10 * kSlotBytes);
  memset(block, 1, 10 * kSlotBytes);
  check_invariants(10);
  EXPECT_TRUE(resize(block, 20 * kSlotBytes));
  const size_t end = growth.clean_room_end(block);
  EXPECT_GE(end, 20 * kSlotBytes) << "with room to grow on";
  check_invariants(end / kSlotBytes);
  EXPECT_EQ(counted().large_bytes, 20 * kSlotBytes);
  EXPECT_TRUE(resize(block, 5 * kSlotBytes));
  check_invariants(5);
  large.give(lock, block);
  check_invariants(0);
  EXPECT_EQ(counted().large_bytes_peak, 20 * kSlotBytes);
  EXPECT_EQ(take(5 * kSlotBytes), block);
  EXPECT_EQ(clean_bytes(), 0u) << "it holds what was written before";
}

TEST_F(LargeGrowthTest, RoomToGrowReadsAsZeroUntilItIsFilled) {
  char* const block = take_growing(10 * kSlotBytes, 0);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(large.extent(block), 10 * kSlotBytes);
  const size_t end = growth.clean_room_end(block);
  ASSERT_GE(end, 20 * kSlotBytes);
  for (size_t at = large.extent(block); at < end; ++at) ASSERT_EQ(block[at], 0);
  growth.note_filled(block, 15 * kSlotBytes);
  EXPECT_EQ(large.extent(block), 15 * kSlotBytes);
  EXPECT_TRUE(resize(block, 12 * kSlotBytes)) << "growth into what is filled";
  EXPECT_EQ(large.extent(block), 15 * kSlotBytes);
  EXPECT_TRUE(resize(block, 11 * kSlotBytes));
  EXPECT_EQ(runs.dirty_bytes(), 4 * kSlotBytes) << "what was cut off and filled";
  large.give(lock, block);
  check_invariants(0);
}

TEST_F(LargeGrowthTest, MoreThanWasAskedForMayMoveToARoomToGrow) {
  void* block = take_growing(10 * kSlotBytes, 45 * kSlotBytes);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(large.extent(block), 45 * kSlotBytes);
  EXPECT_GE(growth.clean_room_end(block), 45 * kSlotBytes);
  large.give(lock, block);
  EXPECT_EQ(runs.dirty_bytes(), 45 * kSlotBytes) << "what was moved here is no zeros";
}

TEST_F(LargeGrowthTest, BlocksGrowWhereNoFreeMemoryLies) {
  void* block = take(256 * kSlotBytes);
  large.give(lock, block);
  EXPECT_EQ(runs.dirty_bytes(), 256 * kSlotBytes);
  EXPECT_NE(take_growing(10 * kSlotBytes, 0), block);
  EXPECT_EQ(runs.dirty_bytes(), 256 * kSlotBytes);
}

TEST_F(LargeGrowthTest, CutBlocksKeepTheirStart) {
  void* block = take_growing(10 * kSlotBytes, 0);
  const Slot slot = region.slot_of(block);
  growth.cut(block, 6 * kSlotBytes);
  EXPECT_EQ(counted().large_bytes, 6 * kSlotBytes);
  EXPECT_EQ(region.class_of(slot + 5), kLargeBody);
  EXPECT_EQ(region.class_of(slot + 6), kForeign);
  EXPECT_FALSE(resize(block, 7 * kSlotBytes));
  large.give(lock, block);
  EXPECT_EQ(counted().large_blocks, 0u);
}

TEST_F(LargeGrowthTest, WhatTheFrontierNeedsIsMappedAhead) {
  const size_t bytes = 2 * region.mapped_bytes();
  EXPECT_EQ(take_growing(bytes, 0), nullptr) << "under the lock nothing is mapped";
  EXPECT_EQ(growth.taken_bytes(), 0u);
  growth.map_for_taking(bytes, 0);
  char* const block = take_growing(bytes, 0);
  ASSERT_NE(block, nullptr);
  EXPECT_GE(growth.taken_bytes(), 2 * bytes);
  const size_t more = 2 * growth.clean_room_end(block);
  EXPECT_FALSE(resize(block, more));
  growth.map_for_resizing(block, more);
  EXPECT_TRUE(resize(block, more));
}

}  // namespace
}  // namespace mmt::store
