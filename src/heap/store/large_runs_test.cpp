// Large blocks in the region: how they are taken, given back under the lock, and without it.
#include "heap/store/large_runs.h"

#include <cstring>

#include <gtest/gtest.h>

#include "support/large_runs_fixture.h"

namespace mmt::store {
namespace {

class LargeRunsTest : public test::LargeRunsFixture {};

TEST_F(LargeRunsTest, FreedBlockComesAgainWithItsMemory) {
  char* const block = take(10 * kSlotBytes);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(clean_bytes(), 10 * kSlotBytes);
  EXPECT_EQ(large.extent(block), 10 * kSlotBytes);
  memset(block, 1, 10 * kSlotBytes);
  check_invariants(10);
  large.give(lock, block);
  check_invariants(0);
  EXPECT_EQ(runs.dirty_bytes(), 10 * kSlotBytes);
  EXPECT_FALSE(large.is_scattered(lock, 10 * kSlotBytes, 1));
  EXPECT_EQ(take(10 * kSlotBytes), block);
  EXPECT_EQ(clean_bytes(), 0u);
}

TEST_F(LargeRunsTest, MemoryThatLiesApartIsScattered) {
  char* blocks[8];
  for (char*& block : blocks) block = take(8 * kSlotBytes);
  EXPECT_FALSE(large.is_scattered(lock, 16 * kSlotBytes, 1)) << "there is none";
  for (size_t i = 0; i < 8; i += 2) large.give(lock, blocks[i]);
  EXPECT_TRUE(large.is_scattered(lock, 16 * kSlotBytes, 1));
  EXPECT_FALSE(large.is_scattered(lock, 8 * kSlotBytes, 1));
}

TEST_F(LargeRunsTest, AbandonedBlockIsForeign) {
  char* const block = take(3 * kSlotBytes);
  large.abandon(block);
  EXPECT_EQ(region.class_of(region.slot_of(block) + 2), kForeign);
  EXPECT_EQ(counted().large_blocks, 0u);
  EXPECT_NE(take(3 * kSlotBytes), block);
}

TEST_F(LargeRunsTest, LargeBlocksAreAlignedAsAsked) {
  for (size_t alignment = kSlotBytes; alignment <= size_t{64} << 20; alignment *= 4) {
    void* block = take(300000, alignment);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
  }
}

TEST_F(LargeRunsTest, ImpossibleSizesAreRefused) {
  EXPECT_EQ(take(~size_t{0} / 2), nullptr);
  EXPECT_EQ(take(1, size_t{1} << 62), nullptr);
  EXPECT_EQ(large.carve(~size_t{0} / 2, 1), nullptr);
  check_invariants(0);
}

TEST_F(LargeRunsTest, LargeBlockReturnedWithoutTheLockIsCounted) {
  void* block = take(1 << 20);
  large.return_block(block);
  EXPECT_TRUE(large.collect(lock, ~size_t{0}));
  EXPECT_EQ(counted().large_blocks, 0u);
  check_invariants(0);
}

TEST_F(LargeRunsTest, BlocksReturnedWithoutTheLockRememberThatTheirPagesHaveLeft) {
  void* block = take(10 * kSlotBytes);
  large.return_block(block, true);
  check_invariants(0);
  EXPECT_EQ(runs.dirty_bytes(), 0u);
}

TEST_F(LargeRunsTest, BlocksReturnedWithoutTheLockAreTakenBackInSteps) {
  constexpr size_t kBlocks = 10;
  void* blocks[kBlocks];
  for (void*& block : blocks) block = take(5 * kSlotBytes);
  for (void* block : blocks) large.return_block(block);
  for (size_t left : {6, 2}) {
    EXPECT_FALSE(large.collect(lock, 4));
    EXPECT_TRUE(large.has_returned());
    EXPECT_EQ(runs.dirty_bytes(), (kBlocks - left) * 5 * kSlotBytes);
  }
  large.return_block(take(kSlotBytes));
  EXPECT_TRUE(large.collect(lock, 4));
  EXPECT_FALSE(large.has_returned());
  check_invariants(0);
}

}  // namespace
}  // namespace mmt::store
