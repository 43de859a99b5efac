// Runs of slots that are nobody's, on real pages.
#include "heap/store/free_runs.h"

#include <sys/mman.h>

#include <gtest/gtest.h>

#include "support/free_runs_fixture.h"

namespace mmt::store {
namespace {

class FreeRunsTest : public test::FreeRunsFixture {};

TEST_F(FreeRunsTest, WhatAlignmentSkipsIsFreeOnceReclaimed) {
  ASSERT_NE(runs.carve<Reach::kMapped>(1, 1), kNoSlot);
  const Slot aligned = runs.carve<Reach::kMapped>(16, 16);
  EXPECT_EQ(aligned % 16, 0u);
  EXPECT_EQ(runs.slots(lock).free_slots(), 0u);
  EXPECT_EQ(runs.in_use_bytes(), runs.ever_used() << kSlotShift);
  runs.reclaim_skipped(lock);
  EXPECT_EQ(runs.ever_used() - runs.slots(lock).free_slots(), 17u);
  EXPECT_EQ(runs.in_use_bytes(), 17 * kSlotBytes);
  EXPECT_EQ(runs.dirty_bytes(), 0u);
}

TEST_F(FreeRunsTest, WhatIsSkippedAndPreparedHoldsMemory) {
  ASSERT_NE(runs.carve<Reach::kMapped>(1, 1), kNoSlot);
  prepared.note(kSlotBytes, kSlotBytes);
  ASSERT_NE(runs.carve<Reach::kMapped>(16, 16), kNoSlot);
  runs.reclaim_skipped(lock);
  EXPECT_EQ(runs.dirty_bytes(), runs.slots(lock).free_slots() << kSlotShift);
}

TEST_F(FreeRunsTest, UnderTheLockNothingIsMapped) {
  const size_t mapped = region.mapped_bytes() >> kSlotShift;
  EXPECT_EQ(runs.carve<Reach::kMapped>(mapped + 1, 1), kNoSlot);
  EXPECT_EQ(runs.ever_used(), 0u);
  EXPECT_NE(runs.carve<Reach::kAnywhere>(mapped + 1, 1), kNoSlot);
}

TEST_F(FreeRunsTest, AreScarceUntilMuchIsFree) {
  const Slot first = runs.carve<Reach::kMapped>(512, 1);
  EXPECT_FALSE(runs.are_plenty());
  runs.slots(lock).give(first, 512, false);
  EXPECT_TRUE(runs.are_plenty());
}

TEST_F(FreeRunsTest, SlotsBelowAnObstacleAreUsed) {
  char* const obstacle = region.base() + region.mapped_bytes();
  ASSERT_EQ(
      mmap(obstacle, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
      obstacle);
  const size_t below = (region.mapped_bytes() >> kSlotShift) - runs.ever_used();
  const Slot run = runs.carve<Reach::kAnywhere>(below + 1, 1);
  ASSERT_NE(run, kNoSlot);
  ASSERT_GT(region.address(run), obstacle);
  runs.reclaim_skipped(lock);
  EXPECT_GE(runs.slots(lock).free_slots(), below);
  munmap(obstacle, 4096);
}

}  // namespace
}  // namespace mmt::store
