// Large blocks: where they lie, how they grow and shrink, what is zero, and what happens when the
// kernel refuses. Their contents under the program's calls: allocation_test.cpp.
#include "heap/process/large_blocks.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

#include "heap/gates/mapped_blocks.h"
#include "heap/process/allocation.h"
#include "support/dense_class.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"
#include "support/refused_calls.h"
#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kMiB;

using sys::fake::Call;
using test::RefusedCalls;

class LargeBlocksTest : public testing::Test {
 protected:
  char* take(size_t bytes) {
    auto* const block = static_cast<char*>(allocate_large(heap, bytes, 1));
    if (block != nullptr) memset(block, 1, bytes);
    return block;
  }
  static bool is_filled(const char* block, size_t bytes, char with) {
    return std::all_of(block, block + bytes, [with](char c) { return c == with; });
  }

  test::HeldLock lock;
  test::FreshHeap heap;
};

TEST_F(LargeBlocksTest, OneOfWhichMuchIsFreeBehindGrowsWhereItStands) {
  void* block = take(kMiB);
  void* const before = block;
  EXPECT_TRUE(reallocate_large(heap, &block, 3 * kMiB));
  EXPECT_EQ(block, before);
  EXPECT_GE(usable_size(heap, block), 3 * kMiB);
  EXPECT_TRUE(is_filled(static_cast<char*>(block), kMiB, 1));
}

TEST_F(LargeBlocksTest, OneThatCannotGrowMovesByItsPages) {
  void* block = take(kMiB);
  take(kMiB);  // behind it
  void* const before = block;
  EXPECT_TRUE(reallocate_large(heap, &block, 3 * kMiB));
  EXPECT_NE(block, before);
  EXPECT_TRUE(is_filled(static_cast<char*>(block), kMiB, 1));
}

TEST_F(LargeBlocksTest, OneIsToBeCopiedWherePagesCannotBeMoved) {
  void* block = take(kMiB);
  take(kMiB);
  const RefusedCalls refused{Call::kMovePages, Call::kMoveMapping};
  void* const before = block;
  EXPECT_FALSE(reallocate_large(heap, &block, 3 * kMiB));
  EXPECT_EQ(block, before);
  EXPECT_TRUE(is_filled(static_cast<char*>(block), kMiB, 1));
}

TEST_F(LargeBlocksTest, WhatOneLosesIsFree) {
  void* block = take(4 * kMiB);
  EXPECT_TRUE(reallocate_large(heap, &block, kMiB));
  EXPECT_GE(usable_size(heap, block), kMiB);
  EXPECT_LT(usable_size(heap, block), 2 * kMiB);
  heap.depot.large().collect(lock, ~size_t{0});
  EXPECT_GE(heap.depot.runs().dirty_bytes(), 2 * kMiB);
  EXPECT_TRUE(is_filled(static_cast<char*>(block), kMiB, 1));
}

TEST_F(LargeBlocksTest, OneThatIsToBecomeSmallIsCopied) {
  void* block = take(kMiB);
  EXPECT_FALSE(reallocate_large(heap, &block, 100));
}

TEST_F(LargeBlocksTest, HugeOneIsAMapping) {
  void* const block = allocate_large(heap, kMappedBytes, 1);
  ASSERT_NE(block, nullptr);
  EXPECT_FALSE(heap.depot.region().contains(block));
  EXPECT_EQ(mapped_size(heap, block), kMappedBytes);
}

TEST_F(LargeBlocksTest, HugeOneLiesInTheRegionWhereNothingCanBeMapped) {
  const RefusedCalls refused{Call::kMapAnywhere};
  void* const block = allocate_large(heap, kMappedBytes, 1);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(heap.depot.region().contains(block));
}

TEST_F(LargeBlocksTest, ZeroedOneIsZeroWhateverLayThere) {
  for (char* const block : {take(kMiB), take(2 * kMiB)}) deallocate_large(heap, block);
  auto* const again = static_cast<char*>(allocate_large_zeroed(heap, 2 * kMiB));
  ASSERT_NE(again, nullptr);
  EXPECT_TRUE(is_filled(again, 2 * kMiB, 0));
}

TEST_F(LargeBlocksTest, WhetherOneReadsAsZeroIsTold) {
  bool zeroed = false;
  auto* const fresh = static_cast<char*>(allocate_large_for_copy(heap, kMiB, &zeroed));
  ASSERT_NE(fresh, nullptr);
  EXPECT_TRUE(zeroed);
  EXPECT_TRUE(is_filled(fresh, kMiB, 0));
  memset(fresh, 1, kMiB);
  deallocate_large(heap, fresh);
  allocate_large_for_copy(heap, kMiB, &zeroed);
  EXPECT_FALSE(zeroed) << "used before";
}

// Pages that lie free elsewhere are moved into a fresh block, but for one whose own are there.
TEST_F(LargeBlocksTest, WhatWasPreparedIsNotFilled) {
  for (int i = 0; i < 20; ++i) deallocate_large(heap, take(2 * kMiB));  // used as a whole
  take(2 * kMiB);
  char* const donor = take(kMiB);
  take(2 * kMiB);  // behind it
  deallocate_large(heap, donor);
  heap.depot.large().collect(lock, ~size_t{0});
  const size_t free_bytes = heap.depot.runs().dirty_bytes();
  ASSERT_GE(free_bytes, kMiB);
  store::Region& region = heap.depot.region();
  const size_t from = size_t{region.frontier()} << store::kSlotShift;
  ASSERT_TRUE(region.map_through(from + 5 * kMiB));
  heap.depot.prepared().note(from, 2 * kMiB);
  EXPECT_EQ(take(2 * kMiB), region.base() + from);
  EXPECT_EQ(heap.depot.runs().dirty_bytes(), free_bytes);
  EXPECT_EQ(heap.untelling_bytes, 0u);
  EXPECT_EQ(take(2 * kMiB), region.base() + from + 2 * kMiB);
  EXPECT_EQ(heap.untelling_bytes, free_bytes - heap.depot.runs().dirty_bytes());
  EXPECT_GE(heap.untelling_bytes, kMiB);
}

// Behind what was prepared of a block, its pages come from what lies free.
TEST_F(LargeBlocksTest, WhatWasPreparedOfOneStays) {
  for (int i = 0; i < 20; ++i) deallocate_large(heap, take(4 * kMiB));  // used as a whole
  take(4 * kMiB);
  char* const donor = take(kMiB);
  take(2 * kMiB);  // behind it
  deallocate_large(heap, donor);
  heap.depot.large().collect(lock, ~size_t{0});
  store::Region& region = heap.depot.region();
  const size_t frontier = size_t{region.frontier()} << store::kSlotShift;
  const size_t from = core::align_up(frontier, sys::kHugePageSize);
  ASSERT_TRUE(region.map_through(from + 4 * kMiB));
  region.base()[from] = 2;  // whatever was moved there would bring its own bytes
  heap.depot.prepared().note(from, kMiB);
  char* const block = static_cast<char*>(allocate_large(heap, 4 * kMiB, 1));
  ASSERT_EQ(block, region.base() + from);
  EXPECT_EQ(block[0], 2);
  EXPECT_EQ(block[kMiB], 1) << "moved there";
}

TEST_F(LargeBlocksTest, PagesComeBeforeAndBehindWhatWasPrepared) {
  for (int i = 0; i < 20; ++i) deallocate_large(heap, take(4 * kMiB));  // used as a whole
  take(4 * kMiB);
  char* const one = take(kMiB);
  take(2 * kMiB);
  char* const other = take(2 * kMiB);
  take(2 * kMiB);
  for (char* const donor : {one, other}) deallocate_large(heap, donor);
  heap.depot.large().collect(lock, ~size_t{0});
  store::Region& region = heap.depot.region();
  const size_t frontier = size_t{region.frontier()} << store::kSlotShift;
  const size_t from = core::align_up(frontier, sys::kHugePageSize);
  ASSERT_TRUE(region.map_through(from + 4 * kMiB));
  region.base()[from + kMiB] = 2;
  heap.depot.prepared().note(from + kMiB, kMiB);
  char* const block = static_cast<char*>(allocate_large(heap, 4 * kMiB, 1));
  ASSERT_EQ(block, region.base() + from);
  EXPECT_EQ(block[0], 1);
  EXPECT_EQ(block[kMiB], 2);
  EXPECT_EQ(block[2 * kMiB], 1);
}

// A block of many MiB is taken at once: the heap does not grow so fast.
TEST_F(LargeBlocksTest, OneThatComesAtOnceTellsOfTwoMebibytes) {
  take(10 * kMiB);
  EXPECT_EQ(heap.untelling_bytes, 8 * kMiB);
  take(2 * kMiB);
  EXPECT_EQ(heap.untelling_bytes, 8 * kMiB);
}

}  // namespace
}  // namespace mmt::heap
