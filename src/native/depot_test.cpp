// The depot on real pages: spans, surplus in each form, large blocks, and what goes back to the OS.
#include "native/depot.h"

#include <bit>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/held_lock.h"
#include "support/region_memory.h"

namespace mmt::native {
namespace {

const test::HeldLock lock;

// One thread: the lock is left alone.
class DepotTest : public ::testing::Test {
 protected:
  // The calls under the lock map nothing: what they need is there.
  DepotTest() {
    EXPECT_TRUE(depot.open(false));
    EXPECT_TRUE(depot.region().map_through(size_t{256} << 20));
  }
  ~DepotTest() override { test::return_memory(depot.region()); }

  std::vector<char*> take_blocks(SizeClass c) {
    uint64_t words[kMaxBitmapWords] = {};
    const SpanSupply span = depot.take_span(lock, c, words);
    EXPECT_NE(span.slot, kNoSlot);
    std::vector<char*> blocks;
    for (uint32_t i = 0; i < kClasses[c].blocks; ++i)
      if ((words[i / 64] >> (i % 64) & 1) != 0)
        blocks.push_back(depot.region().address(span.slot) + size_t{i} * kClasses[c].size);
    return blocks;
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

TEST_F(DepotTest, SpansOfEveryClassComeWhole) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const auto blocks = take_blocks(c);
    ASSERT_EQ(blocks.size(), kClasses[c].blocks);
    for (char* block : blocks) {
      ASSERT_EQ(depot.region().class_of(depot.region().slot_of(block)), c);
      block[0] = block[kClasses[c].size - 1] = 1;
    }
    EXPECT_EQ(depot.class_spans(c), 1u);
  }
  check_invariants(0);
}

TEST(Depot, NothingIsTakenBeyondWhatIsMapped) {
  const auto owner = std::make_unique<Depot>();
  Depot& depot = *owner;
  ASSERT_TRUE(depot.open(false));
  const size_t mapped = depot.region().mapped_bytes();
  uint64_t words[kMaxBitmapWords] = {};
  CleanParts clean;
  size_t spans = 0;
  while (depot.take_span(lock, 1, words).slot != kNoSlot) ++spans;
  EXPECT_EQ(spans, mapped >> kSlotShift);
  EXPECT_EQ(depot.take_block(lock, 1), nullptr);
  EXPECT_EQ(depot.large().take(lock, 10 * kSlotBytes, 1, &clean), nullptr);
  EXPECT_EQ(depot.growth().take(lock, 10 * kSlotBytes, kSlotBytes), nullptr);
  EXPECT_EQ(depot.region().mapped_bytes(), mapped);
  depot.growth().map_for_taking(10 * kSlotBytes, kSlotBytes);
  void* const block = depot.growth().take(lock, 10 * kSlotBytes, kSlotBytes);
  EXPECT_NE(block, nullptr);
  EXPECT_NE(depot.carve_span(1, words).slot, kNoSlot) << "without the lock the region grows";
  test::return_memory(depot.region());
}

TEST_F(DepotTest, OthersOfACarvedBlocksSpanAreTheDepots) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    void* const block = depot.carve_block(c);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(depot.has_returned(), kClasses[c].blocks > 1);
    EXPECT_TRUE(depot.collect_returned(lock, ~size_t{0}));
    EXPECT_EQ(depot.free_blocks(lock, c), kClasses[c].blocks - 1);
    depot.put_block(lock, block);
    EXPECT_EQ(depot.class_spans(c), 0u);
  }
}

TEST_F(DepotTest, SpanWithoutLiveBlocksIsDissolved) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    for (char* block : take_blocks(c)) depot.put_block(lock, block);
    EXPECT_EQ(depot.class_spans(c), 0u);
    EXPECT_EQ(depot.free_blocks(lock, c), 0u);
  }
  check_invariants(0);
  EXPECT_EQ(depot.usage(lock).span_bytes, 0u);
}

TEST_F(DepotTest, FreedBlocksComeAgainLowestSpanFirst) {
  const SizeClass c = class_of_size(64);
  const auto low = take_blocks(c);
  const auto high = take_blocks(c);
  for (size_t i = 0; i < high.size(); i += 2) depot.put_block(lock, high[i]);
  for (size_t i = 0; i < low.size(); i += 2) depot.put_block(lock, low[i]);
  EXPECT_EQ(depot.free_blocks(lock, c), low.size() / 2 + high.size() / 2);
  const auto again = take_blocks(c);
  ASSERT_EQ(again.size(), low.size() / 2);
  for (size_t i = 0; i < again.size(); ++i) EXPECT_EQ(again[i], low[2 * i]);
}

TEST_F(DepotTest, ReturnedBlocksRestUntilCollected) {
  const SizeClass c = class_of_size(200);
  const auto blocks = take_blocks(c);
  EXPECT_FALSE(depot.has_returned());
  for (size_t i = 1; i < blocks.size(); ++i) depot.return_block(blocks[i]);
  EXPECT_TRUE(depot.has_returned());
  EXPECT_EQ(depot.free_blocks(lock, c), 0u);
  EXPECT_TRUE(depot.collect_returned(lock, 64));
  EXPECT_EQ(depot.free_blocks(lock, c), blocks.size() - 1);
  depot.return_block(blocks[0]);
  EXPECT_TRUE(depot.collect_returned(lock, 64));
  EXPECT_EQ(depot.class_spans(c), 0u);
}

// The thread that left a block was overtaken: another's mark brought it, and its span is gone.
TEST_F(DepotTest, AMarkThatComesLateFindsNothing) {
  const SizeClass c = class_of_size(200);
  const auto blocks = take_blocks(c);
  const Slot slot = depot.region().slot_of(blocks[0]);
  for (void* block : blocks) depot.return_block(block);
  EXPECT_TRUE(depot.collect_returned(lock, 64));
  EXPECT_EQ(depot.class_spans(c), 0u);
  const auto other = take_blocks(class_of_size(64));
  depot.region().returned_marks(slot).fetch_or(uint64_t{1} << (slot % 64));
  depot.return_block(other[0]);
  EXPECT_TRUE(depot.collect_returned(lock, 64));
  EXPECT_EQ(depot.class_spans(c), 0u);
  EXPECT_EQ(depot.free_blocks(lock, c), 0u);
  EXPECT_EQ(depot.free_blocks(lock, class_of_size(64)), 1u);
}

TEST_F(DepotTest, SingleBlocksAreDistinctAndCounted) {
  const SizeClass c = class_of_size(100);
  std::vector<void*> blocks;
  for (uint32_t i = 0; i < 3 * kClasses[c].blocks; ++i) {
    blocks.push_back(depot.take_block(lock, c));
    ASSERT_NE(blocks.back(), nullptr);
    if (i > 0) {
      ASSERT_GT(blocks.back(), blocks[i - 1]);
    }
  }
  EXPECT_EQ(depot.free_blocks(lock, c), depot.class_spans(c) * kClasses[c].blocks - blocks.size());
}

TEST_F(DepotTest, PeaksAreExactThoughNobodyLookedMeanwhile) {
  DepotPeaks copy;
  depot.tally().copy_peaks_to(&copy);
  const SizeClass c = class_of_size(1000);
  CleanParts clean;
  void* const large = depot.large().take(lock, 20 * kSlotBytes, 1, &clean);
  std::vector<void*> blocks;
  for (uint32_t i = 0; i < 5 * kClasses[c].blocks; ++i) blocks.push_back(depot.take_block(lock, c));
  depot.put_singles(lock);
  depot.large().give(lock, large);
  // In use again: no more memory is held than before.
  void* const again = depot.large().take(lock, 10 * kSlotBytes, 1, &clean);
  depot.large().give(lock, again);
  for (void* block : blocks) depot.put_block(lock, block);
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
  ASSERT_NE(depot.large().take(lock, kSlotBytes, 1, &clean), nullptr);
  EXPECT_EQ(copy.used, 0u) << "that is the parent's";
  EXPECT_EQ(depot.usage(lock).peaks.used, kSlotBytes);
}

TEST_F(DepotTest, RandomTrafficKeepsEveryBlockApart) {
  std::mt19937 random(7);
  std::vector<std::vector<char*>> live(kClassCount);
  for (int step = 0; step < 3000; ++step) {
    const SizeClass c = 1 + static_cast<SizeClass>(random() % 40);
    if (random() % 2 != 0) {
      for (char* block : take_blocks(c)) {
        ASSERT_EQ(*block, 0) << "handed out twice";
        *block = static_cast<char>(c);
        live[c].push_back(block);
      }
    }
    for (size_t i = random() % (live[c].size() + 1); i > 0; --i) {
      const size_t at = random() % live[c].size();
      ASSERT_EQ(*live[c][at], static_cast<char>(c));
      *live[c][at] = 0;
      depot.put_block(lock, live[c][at]);
      live[c][at] = live[c].back();
      live[c].pop_back();
    }
  }
  for (SizeClass c = 1; c < kClassCount; ++c)
    EXPECT_EQ(depot.class_spans(c) * kClasses[c].blocks - depot.free_blocks(lock, c),
              live[c].size());
  check_invariants(0);
}

TEST_F(DepotTest, ThinningGivesPagesOfUntouchedSpansBackAndKeepsLiveBlocks) {
  const SizeClass c = class_of_size(1000);
  std::vector<char*> blocks = take_blocks(c);
  for (char* block : blocks) std::memset(block, 0x5a, kClasses[c].size);
  char* live = blocks[blocks.size() / 2];
  for (char* block : blocks)
    if (block != live) depot.put_block(lock, block);
  EXPECT_TRUE(depot.spans_touched());

  uint64_t words[kMaxBitmapWords];
  Slot from = 0;
  EXPECT_EQ(depot.begin_thin(lock, &from, kMaxSlots, words), kNoSlot) << "touched until now";
  EXPECT_EQ(from, depot.region().frontier());
  from = 0;
  const Slot slot = depot.begin_thin(lock, &from, kMaxSlots, words);
  ASSERT_EQ(slot, depot.region().slot_of(blocks[0]));
  EXPECT_EQ(depot.free_blocks(lock, c), 0u) << "the caller's";
  EXPECT_GE(depot.thin_pages(slot, words), kSlotBytes - 3 * 4096);
  depot.end_thin(lock, slot, words);
  EXPECT_EQ(depot.free_blocks(lock, c), blocks.size() - 1);
  EXPECT_EQ(blocks[0][0], 0) << "the page was given back";
  for (uint32_t i = 0; i < kClasses[c].size; ++i) ASSERT_EQ(live[i], 0x5a);

  from = 0;
  EXPECT_EQ(depot.begin_thin(lock, &from, kMaxSlots, words), kNoSlot) << "once is enough";
  const auto again = take_blocks(c);
  EXPECT_EQ(again.size(), blocks.size() - 1);
  for (char* block : again) depot.put_block(lock, block);
  depot.put_block(lock, live);
  EXPECT_EQ(depot.class_spans(c), 0u);
  check_invariants(0);
}

TEST_F(DepotTest, SpanWhoseLastBlocksComeWhileItIsThinnedIsDissolved) {
  const SizeClass c = class_of_size(1000);
  std::vector<char*> blocks = take_blocks(c);
  char* live = blocks.back();
  blocks.pop_back();
  for (char* block : blocks) depot.put_block(lock, block);
  uint64_t words[kMaxBitmapWords];
  Slot from = 0;
  ASSERT_EQ(depot.begin_thin(lock, &from, kMaxSlots, words), kNoSlot);
  from = 0;
  const Slot slot = depot.begin_thin(lock, &from, kMaxSlots, words);
  ASSERT_NE(slot, kNoSlot);
  depot.put_block(lock, live);
  depot.thin_pages(slot, words);
  depot.end_thin(lock, slot, words);
  EXPECT_EQ(depot.class_spans(c), 0u);
  check_invariants(0);
}

}  // namespace
}  // namespace mmt::native
