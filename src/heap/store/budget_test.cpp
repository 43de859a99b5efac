// What has come in through the doors, beside what the kernel says.
#include "heap/store/budget.h"

#include <cstring>

#include <gtest/gtest.h>

#include "support/refused_calls.h"
#include "support/units.h"

namespace mmt::store {
namespace {

using test::kMiB;

using sys::fake::Call;
using test::RefusedCalls;

TEST(BudgetTest, CountsWhatComesInAndGoes) {
  Budget budget;
  void* const block = budget.map_anywhere(4 * kMiB);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(budget.mapped(), 4 * kMiB);
  budget.unmap(block, kMiB);
  EXPECT_EQ(budget.mapped(), 3 * kMiB);
  EXPECT_EQ(budget.map_at(block, kMiB), sys::MapResult::kMapped);
  EXPECT_EQ(budget.map_at(block, kMiB), sys::MapResult::kOccupied);
  EXPECT_EQ(budget.mapped(), 4 * kMiB);
  void* const larger = budget.resize_mapping(block, 4 * kMiB, 9 * kMiB);
  ASSERT_NE(larger, nullptr);
  EXPECT_EQ(budget.mapped(), 9 * kMiB);
  void* const smaller = budget.resize_mapping(larger, 9 * kMiB, kMiB);
  EXPECT_EQ(budget.mapped(), kMiB);
  budget.unmap(smaller, kMiB);
  EXPECT_EQ(budget.mapped(), 0u);
}

TEST(BudgetTest, WhatIsMovedIsCountedOnce) {
  Budget budget;
  void* const from = budget.map_anywhere(kMiB);
  void* const to = budget.map_anywhere(2 * kMiB);
  memset(from, 1, kMiB);
  if (budget.move_mapping(from, kMiB, to, 2 * kMiB) != sys::MoveResult::kMoved)
    GTEST_SKIP() << "the kernel moves none";
  EXPECT_EQ(budget.mapped(), 2 * kMiB);
  budget.unmap(to, 2 * kMiB);
  EXPECT_EQ(budget.mapped(), 0u);
}

TEST(BudgetTest, WhatIsRefusedIsNotCounted) {
  Budget budget;
  void* const block = budget.map_anywhere(kMiB);
  const RefusedCalls refused{Call::kMapAt, Call::kMapAnywhere, Call::kResizeMapping};
  EXPECT_EQ(budget.map_anywhere(kMiB), nullptr);
  EXPECT_EQ(budget.resize_mapping(block, kMiB, 2 * kMiB), nullptr);
  EXPECT_EQ(budget.mapped(), kMiB);
  budget.unmap(block, kMiB);
}

}  // namespace
}  // namespace mmt::store
