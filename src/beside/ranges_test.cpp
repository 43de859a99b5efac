// A library's own memory, and nothing beside it.
#include "beside/ranges.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace mmt::beside {
namespace {

TEST(Ranges, EndWhereTheLibrarysMemoryEnds) {
  Ranges ranges;
  EXPECT_EQ(ranges.end_of(1000), 0U);
  ranges.add(1000, 2000);
  EXPECT_EQ(ranges.end_of(999), 0U);
  EXPECT_EQ(ranges.end_of(1000), 2000U);
  EXPECT_EQ(ranges.end_of(1999), 2000U);
  EXPECT_EQ(ranges.end_of(2000), 0U);
}

TEST(Ranges, ThatAdjoinAreOne) {
  Ranges ranges;
  ranges.add(1000, 2000);
  ranges.add(2000, 3000);
  EXPECT_EQ(ranges.end_of(1000), 3000U);
  ranges.add(500, 1000);
  EXPECT_EQ(ranges.end_of(500), 3000U);
  ranges.add(3001, 4000);
  EXPECT_EQ(ranges.end_of(500), 3000U);
}

TEST(Ranges, CanBeCut) {
  Ranges ranges;
  ranges.add(1000, 9000);
  ranges.cut(3000, 4000);
  EXPECT_EQ(ranges.end_of(1000), 3000U);
  EXPECT_EQ(ranges.end_of(3000), 0U);
  EXPECT_EQ(ranges.end_of(4000), 9000U);
  ranges.cut(0, 2000);
  EXPECT_EQ(ranges.end_of(1000), 0U);
  EXPECT_EQ(ranges.end_of(2000), 3000U);
  ranges.cut(0, 10000);
  EXPECT_EQ(ranges.end_of(2000), 0U);
  EXPECT_EQ(ranges.end_of(4000), 0U);
}

TEST(Ranges, TheOldestIsForgotten) {
  Ranges ranges;
  for (uintptr_t i = 1; i <= 65; ++i) ranges.add(i * 1000, i * 1000 + 500);
  EXPECT_EQ(ranges.end_of(1000), 0U);
  EXPECT_EQ(ranges.end_of(2000), 2500U);
  EXPECT_EQ(ranges.end_of(65000), 65500U);
}

TEST(Ranges, HaveAVersion) {
  Ranges ranges;
  const uint32_t before = ranges.version();
  ranges.add(1000, 2000);
  EXPECT_NE(ranges.version(), before);
}

TEST(Ranges, ANewProcessKnowsNone) {
  Ranges ranges;
  ranges.add(1000, 2000);
  const uint32_t before = ranges.version();
  ranges.reset_in_child();
  EXPECT_NE(ranges.version(), before);
  EXPECT_EQ(ranges.end_of(1000), 0U);
  ranges.add(3000, 4000);
  EXPECT_EQ(ranges.end_of(1000), 0U);
  EXPECT_EQ(ranges.end_of(3000), 4000U);
}

TEST(Ranges, NothingIsNoRange) {
  Ranges ranges;
  ranges.add(1000, 9000);
  ranges.cut(4000, 4000);
  ranges.cut(5000, 1000);
  EXPECT_EQ(ranges.end_of(1000), 9000U);
}

// Each writer's range is there or not, whole, whatever the others do.
TEST(Ranges, AreNeverHalfSeen) {
  Ranges ranges;
  std::atomic<bool> is_over{false};
  const auto write = [&](uintptr_t begin) {
    while (!is_over.load(std::memory_order_relaxed)) {
      ranges.add(begin, begin + 500);
      ranges.cut(begin, begin + 500);
    }
  };
  std::thread first(write, 1000);
  std::thread second(write, 3000);
  for (int i = 0; i < 100'000; ++i) {
    const uintptr_t end = ranges.end_of(i % 2 == 0 ? 1200 : 3200);
    const uintptr_t whole = i % 2 == 0 ? 1500 : 3500;
    if (end != 0) {
      ASSERT_EQ(end, whole);
    }
  }
  is_over.store(true, std::memory_order_relaxed);
  first.join();
  second.join();
}

}  // namespace
}  // namespace mmt::beside
