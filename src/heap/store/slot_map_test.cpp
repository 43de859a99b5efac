// The slot map against a model of one byte a slot, by random operations.
#include "heap/store/slot_map.h"

#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/region_memory.h"

namespace mmt::store {
namespace {

constexpr Slot kSlots = 1000;

struct State {
  State() {
    EXPECT_TRUE(region->open(false));
    Slot skipped_from;
    size_t skipped;
    EXPECT_EQ(region->carve(kSlots, 1, &skipped_from, &skipped), 0u);
    map.open(region.get());
  }

  bool run_is(Slot first, size_t count, bool wanted_free, bool wanted_dirty_only) const {
    if (first + count > kSlots) return false;
    for (size_t i = first; i < first + count; ++i)
      if (free[i] != wanted_free || (wanted_dirty_only && !dirty[i])) return false;
    return true;
  }
  Slot lowest(size_t count, size_t alignment, bool dirty_only) const {
    for (Slot first = 0; first + count <= kSlots; first += static_cast<Slot>(alignment))
      if (run_is(first, count, true, dirty_only)) return first;
    return kNoSlot;
  }
  Slot lowest_clean(size_t count, size_t alignment) const {
    for (Slot first = 0; first + count <= kSlots; first += static_cast<Slot>(alignment))
      if (run_is(first, count, true, false) && clean(first, count)) return first;
    return kNoSlot;
  }
  bool clean(Slot first, size_t count) const {
    for (size_t i = first; i < first + count; ++i)
      if (dirty[i]) return false;
    return true;
  }
  void mark(Slot first, size_t count, bool is_free, bool is_dirty) {
    for (size_t i = first; i < first + count; ++i) {
      free[i] = is_free;
      dirty[i] = is_free && is_dirty;
    }
  }
  void check_invariants() const {
    size_t free_count = 0;
    size_t dirty_count = 0;
    for (size_t i = 0; i < kSlots; ++i) {
      free_count += free[i];
      dirty_count += dirty[i];
    }
    ASSERT_EQ(map.free_slots(), free_count);
    ASSERT_EQ(map.dirty_slots(), dirty_count);
  }

  test::OwnedRegion region{new Region()};
  SlotMap map;
  std::vector<bool> free = std::vector<bool>(kSlots);
  std::vector<bool> dirty = std::vector<bool>(kSlots);
};

TEST(SlotMap, EmptyMapGivesNothing) {
  State state;
  bool clean;
  EXPECT_EQ(state.map.take(1, 1, &clean), kNoSlot);
  EXPECT_EQ(state.map.take_dirty(1, 1), kNoSlot);
  EXPECT_FALSE(state.map.take_at(0, 1, &clean));
  Slot first;
  EXPECT_EQ(state.map.find_dirty(0, kSlots, false, &first), 0u);
}

TEST(SlotMap, NeighboursMergeAtOnce) {
  State state;
  bool clean;
  state.map.give(10, 5, false);
  state.map.give(20, 5, true);
  state.map.give(15, 5, false);
  EXPECT_EQ(state.map.take(15, 1, &clean), 10u);
  EXPECT_FALSE(clean);
}

TEST(SlotMap, CleanSlotsAreCountedInWholeRuns) {
  State state;
  state.map.give(64, 128, false);
  EXPECT_EQ(state.map.clean_slots(32), 128u);
  state.map.give(200, 31, false);
  EXPECT_EQ(state.map.clean_slots(32), 128u);
  bool clean;
  EXPECT_TRUE(state.map.take_at(100, 1, &clean));
  state.map.give(100, 1, true);
  EXPECT_EQ(state.map.clean_slots(32), 96u);
  EXPECT_EQ(state.map.clean_slots(1), 127u + 31u);
}

TEST(SlotMap, AgesInTwoTicks) {
  State state;
  Slot first;
  state.map.give(100, 8, true);
  EXPECT_EQ(state.map.find_dirty(0, kSlots, true, &first), 0u);
  state.map.age();
  EXPECT_EQ(state.map.find_dirty(0, kSlots, true, &first), 8u);
  EXPECT_EQ(first, 100u);
  bool clean;
  EXPECT_TRUE(state.map.take_at(102, 2, &clean));
  state.map.give(102, 2, true);  // used meanwhile: young again
  EXPECT_EQ(state.map.find_dirty(0, kSlots, true, &first), 2u);
}

TEST(SlotMap, AgreesWithItsModel) {
  State state;
  std::mt19937 random(20);
  const auto below = [&](size_t n) { return static_cast<Slot>(random() % n); };
  for (int step = 0; step < 20000; ++step) {
    const size_t count = 1 + below(40);
    const size_t alignment = size_t{1} << below(5);
    const Slot at = below(kSlots);
    bool clean = false;
    Slot expected;
    switch (below(5)) {
      case 0:
        expected = state.lowest(count, alignment, false);
        ASSERT_EQ(state.map.take(count, alignment, &clean), expected);
        if (expected == kNoSlot) break;
        ASSERT_EQ(clean, state.clean(expected, count));
        state.mark(expected, count, false, false);
        break;
      case 1:
        expected = state.lowest(count, alignment, true);
        ASSERT_EQ(state.map.take_dirty(count, alignment), expected);
        if (expected != kNoSlot) state.mark(expected, count, false, false);
        break;
      case 2:
        expected = state.lowest_clean(count, alignment);
        ASSERT_EQ(state.map.take_clean(count, alignment), expected);
        if (expected != kNoSlot) state.mark(expected, count, false, false);
        break;
      case 3: {
        const bool possible = state.run_is(at, count, true, false);
        ASSERT_EQ(state.map.take_at(at, count, &clean), possible);
        if (!possible) break;
        ASSERT_EQ(clean, state.clean(at, count));
        state.mark(at, count, false, false);
        break;
      }
      default: {
        if (!state.run_is(at, count, false, false)) break;
        const bool dirty = below(2) != 0;
        state.map.give(at, count, dirty);
        state.mark(at, count, true, dirty);
      }
    }
    state.check_invariants();
  }
}

}  // namespace
}  // namespace mmt::store
