// The depot's parts together, on real pages.
#include "heap/store/depot.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "support/held_lock.h"
#include "support/region_memory.h"

namespace mmt::store {
namespace {

const test::HeldLock lock;

// One thread: the lock is left alone.
class DepotTest : public ::testing::Test {
 protected:
  DepotTest() { EXPECT_TRUE(depot.open(false)); }
  ~DepotTest() override { test::return_memory(depot.region()); }

  // The calls under the lock map nothing: what they need is there.
  void map_enough() { EXPECT_TRUE(depot.region().map_through(size_t{256} << 20)); }
  void* take_large(size_t bytes) {
    CleanParts clean;
    return depot.large().take(lock, bytes, 1, &clean);
  }
  // Every slot below the frontier is free, in a span, or in a large block.
  void check_invariants(size_t large_slots) {
    const DepotUsage usage = depot.usage(lock);
    EXPECT_EQ(usage.frontier_bytes,
              usage.free_slot_bytes + usage.span_bytes + (large_slots << kSlotShift));
    EXPECT_LE(usage.dirty_free_bytes, usage.free_slot_bytes);
    EXPECT_LE(usage.large_bytes, usage.large_bytes_peak);
    EXPECT_EQ(usage.large_taken - usage.large_given, usage.large_blocks);
    EXPECT_LE(usage.span_bytes + usage.large_bytes, usage.peaks.used);
    EXPECT_LE(usage.span_bytes + usage.large_bytes + usage.dirty_free_bytes, usage.peaks.held);
  }

  std::unique_ptr<Depot> owner = std::make_unique<Depot>();
  Depot& depot = *owner;
};

TEST(Depot, SomeCallsAreMadeBeforeItIsOpen) {
  const auto owner = std::make_unique<Depot>();
  DepotPeaks copy;
  owner->keep_memory(true);
  owner->tally().copy_peaks_to(&copy);
  owner->reset_in_child();
  EXPECT_TRUE(owner->runs().keeps_memory());
  EXPECT_EQ(owner->runs().dirty_bytes(), 0u);
  EXPECT_FALSE(owner->large().has_returned());
  EXPECT_FALSE(owner->returned().has_any());
  EXPECT_FALSE(owner->mapped().has_any());
  EXPECT_FALSE(owner->mapped().is_changing());
  EXPECT_FALSE(owner->changes().has_runs());
  EXPECT_FALSE(owner->spans().touched());
  EXPECT_EQ(owner->prepared().through(), 0u);
}

TEST_F(DepotTest, NothingIsTakenBeyondWhatIsMapped) {
  const size_t mapped = depot.region().mapped_bytes();
  uint64_t words[kMaxBitmapWords] = {};
  size_t spans = 0;
  while (depot.spans().take_span(lock, 1, words).slot != kNoSlot) ++spans;
  EXPECT_EQ(spans, mapped >> kSlotShift);
  EXPECT_EQ(depot.singles().take(lock, 1), nullptr);
  EXPECT_EQ(take_large(10 * kSlotBytes), nullptr);
  EXPECT_EQ(depot.growth().take(lock, 10 * kSlotBytes, kSlotBytes), nullptr);
  EXPECT_EQ(depot.region().mapped_bytes(), mapped);
  depot.growth().map_for_taking(10 * kSlotBytes, kSlotBytes);
  void* const block = depot.growth().take(lock, 10 * kSlotBytes, kSlotBytes);
  EXPECT_NE(block, nullptr);
  EXPECT_NE(depot.spans().carve_span(1, words).slot, kNoSlot)
      << "without the lock the region grows";
}

TEST_F(DepotTest, EverySlotIsFreeOrAPartHasIt) {
  map_enough();
  const SizeClass c = class_of_size(20000);
  std::vector<void*> blocks;
  for (int i = 0; i < 20; ++i) blocks.push_back(depot.singles().take(lock, c));
  void* const large = take_large(10 * kSlotBytes);
  void* const carved = depot.large().carve(20 * kSlotBytes, 16 * kSlotBytes);
  check_invariants(30);
  EXPECT_EQ(depot.free_blocks(lock, c) + blocks.size(),
            depot.spans().class_spans(c) * kClasses[c].blocks);
  depot.singles().put_spans(lock);
  for (void* block : blocks) depot.returned().add(block);
  depot.large().return_block(large);
  EXPECT_TRUE(depot.returned().collect(lock, ~size_t{0}));
  check_invariants(20);
  EXPECT_EQ(depot.usage(lock).spans, 0u);
  EXPECT_EQ(take_large(10 * kSlotBytes), depot.region().address(depot.region().first()))
      << "a large block lies where spans lay";
  depot.large().give(lock, carved);
  check_invariants(10);
}

TEST_F(DepotTest, PeaksAreExactThoughNobodyLookedMeanwhile) {
  map_enough();
  DepotPeaks copy;
  depot.tally().copy_peaks_to(&copy);
  const SizeClass c = class_of_size(1000);
  void* const large = take_large(20 * kSlotBytes);
  std::vector<void*> blocks;
  for (uint32_t i = 0; i < 5 * kClasses[c].blocks; ++i)
    blocks.push_back(depot.singles().take(lock, c));
  depot.singles().put_spans(lock);
  depot.large().give(lock, large);
  // In use again: no more memory is held than before.
  void* const again = take_large(10 * kSlotBytes);
  depot.large().give(lock, again);
  for (void* block : blocks) depot.spans().put_block(lock, block);
  const size_t most = (20 + 5 * kClasses[c].span_slots) * kSlotBytes;
  EXPECT_EQ(copy.used, most);
  EXPECT_EQ(copy.held, most);
  const DepotUsage usage = depot.usage(lock);
  EXPECT_EQ(usage.span_bytes + usage.large_bytes, 0u);
  EXPECT_EQ(usage.peaks.used, most);
  EXPECT_EQ(usage.peaks.held, most);

  depot.reset_in_child();
  copy = {};
  EXPECT_EQ(depot.usage(lock).peaks.used, 0u) << "the child's own";
  ASSERT_NE(take_large(kSlotBytes), nullptr);
  EXPECT_EQ(copy.used, 0u) << "that is the parent's";
  EXPECT_EQ(depot.usage(lock).peaks.used, kSlotBytes);
}

}  // namespace
}  // namespace mmt::store
