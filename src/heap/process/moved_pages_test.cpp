// Pages that lie free move to where they are needed. Free memory beyond the bound goes back. A
// kernel that refuses is soon no longer asked.
#include "heap/process/moved_pages.h"

#include <cstring>

#include <gtest/gtest.h>

#include "heap/keeper/purger.h"
#include "heap/pages/changed_pages.h"
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

constexpr store::SizeClass kClass = 8;
constexpr Kind kDense = kind_of_class(kClass);

class MovedPagesTest : public testing::Test {
 protected:
  MovedPagesTest() { test::make_dense(heap, kClass); }
  char* carve(size_t bytes) { return static_cast<char*>(heap.depot.large().carve(bytes, 1)); }
  // A run of free memory whose pages hold `with`.
  void leave_free(size_t bytes, char with) {
    char* const block = carve(bytes);
    memset(block, with, bytes);
    carve(kMiB);  // keeps runs apart
    heap.depot.large().give(lock, block, false);
  }

  test::HeldLock lock;
  test::FreshHeap heap;
};

TEST_F(MovedPagesTest, FreshPlaceGetsPagesOfFreeRuns) {
  leave_free(2 * kMiB, 1);
  leave_free(kMiB, 2);
  ASSERT_TRUE(worth_filling(heap, 4 * kMiB, kDense));
  char* const place = carve(4 * kMiB);
  const Filled filled = fill_from_free(heap, place, 4 * kMiB);
  EXPECT_EQ(filled.bytes, 3 * kMiB);
  EXPECT_FALSE(filled.broken);
  EXPECT_EQ(place[0], 1);
  EXPECT_EQ(place[2 * kMiB], 2);
  EXPECT_EQ(place[3 * kMiB], 0);
  EXPECT_EQ(heap.depot.runs().dirty_bytes(), 0u);
}

TEST_F(MovedPagesTest, SmallPlacesAndFewPagesAreNotWorthIt) {
  leave_free(kMiB / 2, 1);
  EXPECT_FALSE(worth_filling(heap, 4 * kMiB, kDense)) << "there are few";
  leave_free(2 * kMiB, 1);
  EXPECT_TRUE(worth_filling(heap, 4 * kMiB, kDense));
  EXPECT_FALSE(worth_filling(heap, kFilledBytes - 1, kDense));
}

TEST_F(MovedPagesTest, WhatIsHardlyUsedIsNotWorthIt) {
  leave_free(2 * kMiB, 1);
  EXPECT_TRUE(worth_filling(heap, 4 * kMiB, kDense));
  EXPECT_FALSE(worth_filling(heap, 4 * kMiB, kind_of_large(4 * kMiB))) << "nothing is known";
}

TEST_F(MovedPagesTest, NothingIsLostWhereTheKernelRefuses) {
  leave_free(2 * kMiB, 1);
  char* const place = carve(2 * kMiB);
  const RefusedCalls refused{Call::kMovePages};
  const Filled filled = fill_from_free(heap, place, 2 * kMiB);
  EXPECT_EQ(filled.bytes, 0u);
  EXPECT_FALSE(filled.broken);
  EXPECT_EQ(heap.depot.runs().dirty_bytes(), 2 * kMiB) << "as it was";
}

TEST_F(MovedPagesTest, TheKernelIsNotAskedForEver) {
  char* const from = carve(kMiB);
  char* const to = carve(kMiB);
  const RefusedCalls refused{Call::kMovePages};
  int asked = 0;
  for (; !moves_are_refused(heap) && asked < 100; ++asked)
    EXPECT_EQ(move_to_fresh(heap, from, to, kMiB), Move::kRefused);
  EXPECT_GT(asked, 1) << "one refusal may be of a moment";
  EXPECT_LT(asked, 100);
}

TEST_F(MovedPagesTest, LockedMemoryStaysWhereItIs) {
  leave_free(2 * kMiB, 1);
  note_mlockall(heap, true);
  EXPECT_TRUE(moves_are_refused(heap));
  EXPECT_FALSE(worth_filling(heap, 4 * kMiB, kDense));
  note_mlockall(heap, false);
  EXPECT_FALSE(moves_are_refused(heap));
}

TEST_F(MovedPagesTest, ExcessGoesBackAndNoMore) {
  Purger::set_floor(heap, 4 * kMiB);
  leave_free(16 * kMiB, 1);
  ASSERT_TRUE(Purger::is_excess(heap));
  give_back_excess(heap, 2 * kMiB);
  EXPECT_EQ(heap.depot.runs().dirty_bytes(), 14 * kMiB) << "what was asked for";
  give_back_excess(heap, size_t{1} << 30);
  EXPECT_FALSE(Purger::is_excess(heap));
}

TEST_F(MovedPagesTest, NothingGoesBackBelowTheBound) {
  leave_free(2 * kMiB, 1);
  give_back_excess(heap, 2 * kMiB);
  EXPECT_EQ(heap.depot.runs().dirty_bytes(), 2 * kMiB);
}

}  // namespace
}  // namespace mmt::heap
