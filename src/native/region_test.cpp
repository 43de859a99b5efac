// The region: carving, alignment by address, and tables that grow with the frontier.
#include "native/region.h"

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::native {
namespace {

std::unique_ptr<Region> open_region() {
  auto region = std::make_unique<Region>();
  EXPECT_TRUE(region->open(false));
  return region;
}

TEST(Region, KnowsItsAddresses) {
  const auto region = open_region();
  Slot skipped_from;
  size_t skipped;
  const Slot slot = region->carve(3, 1, &skipped_from, &skipped);
  ASSERT_NE(slot, kNoSlot);
  char* block = region->address(slot);
  EXPECT_TRUE(region->contains(block));
  EXPECT_EQ(region->slot_of(block), slot);
  EXPECT_EQ(region->slot_of(block + 3 * kSlotBytes - 1), slot + 2);
  EXPECT_FALSE(region->contains(region->base() - 1));
  EXPECT_FALSE(region->contains(&skipped));
  EXPECT_FALSE(region->contains(nullptr));
}

TEST(Region, FreshMemoryIsZeroAndSoAreItsTables) {
  const auto region = open_region();
  Slot skipped_from;
  size_t skipped;
  const Slot slot = region->carve(16, 16, &skipped_from, &skipped);
  ASSERT_NE(slot, kNoSlot);
  const char* block = region->address(slot);
  for (size_t i = 0; i < 16 * kSlotBytes; i += 512) ASSERT_EQ(block[i], 0);
  memset(region->address(slot), 0xff, 16 * kSlotBytes);
  EXPECT_EQ(region->class_of(slot), kNoClass);
  EXPECT_EQ(region->span(slot).free_blocks, 0u);
  for (size_t i = 0; i < kMaxBitmapWords; ++i) {
    EXPECT_EQ(region->free_bits(slot)[i], 0u);
    EXPECT_EQ(region->returned_bits(slot)[i], 0u);
  }
}

TEST(Region, MetadataIsTheTablesOfWhatIsMapped) {
  const auto region = open_region();
  const size_t slots = region->mapped_bytes() / kSlotBytes;
  const size_t a_slot = 1 + sizeof(Span) + 2 * kMaxBitmapWords * sizeof(uint64_t);
  EXPECT_GE(region->metadata_bytes(), slots * a_slot + slots / 8 * kSlotBitmapCount);
  EXPECT_LT(region->metadata_bytes(),
            slots * a_slot + kSlotBitmapCount * sys::kPageSize + 4 * sys::kPageSize);
}

TEST(Region, AlignmentReportsWhatItSkips) {
  const auto region = open_region();
  Slot skipped_from;
  size_t skipped;
  ASSERT_NE(region->carve(1, 1, &skipped_from, &skipped), kNoSlot);
  const Slot frontier = region->frontier();
  const Slot slot = region->carve(2, 64, &skipped_from, &skipped);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(region->address(slot)) % (64 * kSlotBytes), 0u);
  EXPECT_EQ(skipped_from, frontier);
  EXPECT_EQ(skipped, slot - frontier);
  EXPECT_EQ(region->frontier(), slot + 2);
}

TEST(Region, CarvesAtTheFrontierOnly) {
  const auto region = open_region();
  const Slot frontier = region->frontier();
  EXPECT_FALSE(region->carve_at(frontier + 1, 1));
  EXPECT_TRUE(region->carve_at(frontier, 2));
  EXPECT_FALSE(region->carve_at(frontier, 1));
  EXPECT_EQ(region->frontier(), frontier + 2);
}

TEST(Region, EndsAtItsLastSlot) {
  const auto region = open_region();
  Slot skipped_from;
  size_t skipped;
  EXPECT_EQ(region->carve(kMaxSlots + 1, 1, &skipped_from, &skipped), kNoSlot);
  EXPECT_NE(region->carve(1, 1, &skipped_from, &skipped), kNoSlot);
}

TEST(Region, ThreadsNeverShareASlot) {
  constexpr int kThreads = 4;
  constexpr int kRuns = 500;
  const auto region = open_region();
  std::vector<Slot> taken[kThreads];
  std::vector<std::thread> threads;
  for (auto& mine : taken)
    threads.emplace_back([&region, &mine] {
      for (int i = 0; i < kRuns; ++i) {
        Slot skipped_from;
        size_t skipped;
        const Slot slot = region->carve(2, 1, &skipped_from, &skipped);
        region->address(slot)[0] = 1;
        mine.push_back(slot);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<bool> seen(region->frontier());
  for (const auto& mine : taken)
    for (Slot slot : mine) {
      ASSERT_FALSE(seen[slot] || seen[slot + 1]);
      seen[slot] = seen[slot + 1] = true;
    }
}

}  // namespace
}  // namespace mmt::native
