// The queue of spans against a sorted model: lowest first, removal from anywhere.
#include "heap/store/span_queue.h"

#include <memory>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/region_memory.h"

namespace mmt::store {
namespace {

constexpr Slot kCarved = 4000;

test::OwnedRegion open_region() {
  test::OwnedRegion region(new Region());
  EXPECT_TRUE(region->open(false));
  Slot skipped_from;
  size_t skipped;
  EXPECT_EQ(region->carve(kCarved, 1, &skipped_from, &skipped), 0u);
  return region;
}

TEST(SpanQueue, GivesTheLowestFirst) {
  const auto region = open_region();
  SpanQueue queue;
  EXPECT_TRUE(queue.empty());
  for (Slot slot : {7u, 3u, 0u, 900u, 5u}) queue.insert(*region, slot);
  for (Slot slot : {0u, 3u, 5u, 7u, 900u}) {
    ASSERT_FALSE(queue.empty());
    EXPECT_EQ(queue.lowest(), slot);
    EXPECT_EQ(queue.take_lowest(*region), slot);
  }
  EXPECT_TRUE(queue.empty());
}

TEST(SpanQueue, AgreesWithAnOrderedSet) {
  const auto region = open_region();
  SpanQueue queue;
  std::set<Slot> model;
  std::mt19937 random(1986);
  for (int step = 0; step < 50000; ++step) {
    const Slot slot = static_cast<Slot>(random() % kCarved);
    if (model.count(slot) != 0) {
      queue.remove(*region, slot);
      model.erase(slot);
    } else if (random() % 3 != 0 || model.empty()) {
      queue.insert(*region, slot);
      model.insert(slot);
    } else {
      ASSERT_EQ(queue.take_lowest(*region), *model.begin());
      model.erase(model.begin());
    }
    ASSERT_EQ(queue.empty(), model.empty());
    if (!model.empty()) {
      ASSERT_EQ(queue.lowest(), *model.begin());
    }
  }
}

}  // namespace
}  // namespace mmt::store
