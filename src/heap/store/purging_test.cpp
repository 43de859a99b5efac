// Memory of free slots that goes back to the OS, and what is known of it then.
#include "heap/store/purging.h"

#include <cstring>

#include <gtest/gtest.h>

#include "support/large_runs_fixture.h"
#include "support/refused_calls.h"

namespace mmt::store {
namespace {

class PurgingTest : public test::LargeRunsFixture {
 protected:
  PurgingTest() {
    seams.open(&region);
    purging.open(&region, &seams, &runs, &tally, &large);
  }

  // The lowest run of so many dirty slots at most is taken out of the slot map.
  size_t begin(size_t from, size_t most) {
    return purging.begin(lock, static_cast<Slot>(from), most, false, &first);
  }
  void purge(size_t count) {
    const PurgeResult result = purging.purge_pages(first, count);
    purging.end(lock, first, count, result == PurgeResult::kClean);
  }

  Seams seams;
  Purging purging;
  Slot first = 0;
};

TEST_F(PurgingTest, PurgedMemoryReadsAsZero) {
  constexpr size_t kBytes = 64 * kSlotBytes;
  void* block = take(kBytes);
  memset(block, 0xff, kBytes);
  large.give(lock, block);
  EXPECT_EQ(runs.dirty_bytes(), kBytes);
  const size_t count = begin(0, 1000);
  ASSERT_EQ(count, 64u);
  EXPECT_EQ(purging.purge_pages(first, count), PurgeResult::kClean);
  purging.end(lock, first, count, true);
  EXPECT_EQ(runs.dirty_bytes(), 0u);
  char* const again = take(kBytes);
  EXPECT_EQ(clean_bytes(), kBytes);
  for (size_t i = 0; i < kBytes; i += 1024) ASSERT_EQ(again[i], 0);
}

TEST_F(PurgingTest, LargeBlocksKnowWhichPartsHoldNoMemory) {
  void* blocks[4];
  for (void*& block : blocks) block = take(8 * kSlotBytes);
  for (void* block : blocks) large.give(lock, block);
  ASSERT_EQ(begin(8, 8), 8u);
  purge(8);
  ASSERT_EQ(begin(24, 8), 8u);
  purge(8);
  EXPECT_EQ(take(30 * kSlotBytes + 5), blocks[0]);
  ASSERT_EQ(clean.end() - clean.begin(), 2);
  EXPECT_EQ(clean.begin()->start, blocks[1]);
  EXPECT_EQ(clean.begin()->bytes, 8 * kSlotBytes);
  EXPECT_EQ(clean.begin()[1].start, blocks[3]);
  EXPECT_EQ(clean.begin()[1].bytes, 6 * kSlotBytes + 5) << "no more than was asked for";
}

TEST_F(PurgingTest, RunsReturnedWithoutTheLockAreFreeAgain) {
  constexpr size_t kBytes = 64 * kSlotBytes;
  for (const bool purged : {true, false}) {
    void* block = take(kBytes);
    large.give(lock, block);
    const size_t count = begin(0, 1000);
    ASSERT_EQ(count, 64u);
    check_invariants(64);
    large.return_slots(first, count, purged);
    EXPECT_TRUE(large.collect(lock, ~size_t{0}));
    check_invariants(0);
    EXPECT_EQ(runs.dirty_bytes(), purged ? 0 : kBytes);
  }
}

TEST_F(PurgingTest, HighestRunIsTheTop) {
  void* const low = take(8 * kSlotBytes);
  void* const live = take(8 * kSlotBytes);
  void* const high = take(8 * kSlotBytes);
  large.give(lock, low);
  large.give(lock, high);
  EXPECT_EQ(purging.begin_top(lock, 4, &first), 4u);
  EXPECT_EQ(region.address(first), static_cast<char*>(high) + 4 * kSlotBytes);
  purge(4);
  EXPECT_EQ(runs.dirty_bytes(), 12 * kSlotBytes);
  large.give(lock, live);
}

TEST_F(PurgingTest, RunThatTheSystemRefusedIsDirtyStill) {
  large.give(lock, take(8 * kSlotBytes));
  const size_t count = begin(0, 1000);
  const PurgeResult result = purging.purge_pages(first, count, [](void*, size_t) { return false; });
  EXPECT_EQ(result, PurgeResult::kDirty);
  purging.end(lock, first, count, false);
  EXPECT_EQ(runs.dirty_bytes(), 8 * kSlotBytes);
}

TEST_F(PurgingTest, RefusalsOfTheSystemLoseNothing) {
  char* const block = take(8 * kSlotBytes);
  memset(block, 0x77, 8 * kSlotBytes);
  large.give(lock, block);
  const size_t count = begin(0, 1000);
  {
    const test::RefusedCalls refused{sys::fake::Call::kDiscard};
    EXPECT_EQ(purging.purge_pages(first, count), PurgeResult::kDirty);
    EXPECT_EQ(refused.count(sys::fake::Call::kDiscard), 1u);
  }
  purging.end(lock, first, count, false);
  EXPECT_EQ(runs.dirty_bytes(), 8 * kSlotBytes);
  EXPECT_EQ(block[5 * kSlotBytes], 0x77);
  ASSERT_EQ(begin(0, 1000), count) << "another time";
  purge(count);
  EXPECT_EQ(runs.dirty_bytes(), 0u);
  EXPECT_EQ(block[5 * kSlotBytes], 0);
}

TEST_F(PurgingTest, AbandonedRunIsForeign) {
  large.give(lock, take(8 * kSlotBytes));
  const size_t count = begin(0, 1000);
  purging.abandon(lock, first, count);
  EXPECT_EQ(region.class_of(first), kForeign);
  EXPECT_EQ(region.class_of(first + count - 1), kForeign);
  EXPECT_EQ(runs.slots(lock).free_slots(), 0u);
}

}  // namespace
}  // namespace mmt::store
