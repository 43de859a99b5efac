// What is noted of pages that the program changes, and when it is forgotten.
#include "native/noted_changes.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "native/depot.h"
#include "support/held_lock.h"
#include "support/region_memory.h"

namespace mmt::native {
namespace {

const test::HeldLock lock;

using sys::kPageSize;

// One thread: the lock is left alone.
class NotedChangesTest : public ::testing::Test {
 protected:
  // The calls under the lock map nothing: what they need is there.
  NotedChangesTest() {
    EXPECT_TRUE(depot.open(false));
    EXPECT_TRUE(depot.region().map_through(size_t{256} << 20));
  }
  ~NotedChangesTest() override { test::return_memory(depot.region()); }

  std::vector<char*> take_span(SizeClass c) {
    uint64_t words[kMaxBitmapWords] = {};
    const Slot slot = depot.take_span(lock, c, words).slot;
    EXPECT_NE(slot, kNoSlot);
    std::vector<char*> blocks;
    for (uint32_t i = 0; i < kClasses[c].blocks; ++i)
      blocks.push_back(depot.region().address(slot) + size_t{i} * kClasses[c].size);
    return blocks;
  }
  char* take_large(size_t bytes) {
    CleanParts clean;
    return static_cast<char*>(depot.large().take(lock, bytes, 1, &clean));
  }
  uint8_t code_of(const char* block) {
    return depot.region().class_of(depot.region().slot_of(block));
  }
  void note(char* start, size_t bytes) { depot.changes().note(lock, start, bytes, Change::kFlags); }
  // Whether a change of exactly these bytes is taken from the block.
  bool take_exactly(char* block, char* start, size_t bytes) {
    const NotedChanges::Pages pages = depot.changes().take(lock, block);
    return pages.start == start && pages.bytes == bytes && pages.change != Change::kNone;
  }
  bool take_none(char* block) { return depot.changes().take(lock, block).bytes == 0; }

  std::unique_ptr<Depot> owner = std::make_unique<Depot>();
  Depot& depot = *owner;
};

TEST_F(NotedChangesTest, LargeBlockIsNotedAsAWhole) {
  char* const first = take_large(5 * kSlotBytes);
  char* const second = take_large(3 * kSlotBytes);
  note(first + 4 * kSlotBytes + 1, 1);
  EXPECT_EQ(depot.changes().of_large(first), Change::kFlags);
  EXPECT_EQ(depot.changes().of_large(second), Change::kNone);
  depot.changes().note(lock, first + 5 * kSlotBytes - 1, 2, Change::kMapping);
  EXPECT_EQ(depot.changes().of_large(second), Change::kMapping);
  note(first, 1);
  EXPECT_EQ(depot.changes().of_large(first), Change::kMapping);
  EXPECT_TRUE(take_exactly(first, first, 5 * kSlotBytes));
  EXPECT_EQ(depot.changes().of_large(first), Change::kNone);
}

TEST_F(NotedChangesTest, NextLargeBlockIsUnchanged) {
  char* const block = take_large(kMaxClassSize + 1);
  note(block, kPageSize);
  depot.large().give(lock, block);
  ASSERT_EQ(take_large(kMaxClassSize + 1), block);
  EXPECT_EQ(depot.changes().of_large(block), Change::kNone);
}

TEST_F(NotedChangesTest, PagesOfABlockAreTakenFromItAlone) {
  const SizeClass c = class_of_size(2 * kPageSize);
  const std::vector<char*> blocks = take_span(c);
  note(blocks[3] + kPageSize, kPageSize);
  note(blocks[5], 2 * kPageSize);
  EXPECT_EQ(code_of(blocks[0]), kChanged);
  EXPECT_EQ(depot.region().true_class_of(depot.region().slot_of(blocks[0])), c);
  EXPECT_TRUE(take_none(blocks[4]));
  EXPECT_TRUE(take_exactly(blocks[3], blocks[3] + kPageSize, kPageSize));
  EXPECT_TRUE(take_none(blocks[3]));
  EXPECT_EQ(code_of(blocks[0]), kChanged);
  EXPECT_TRUE(take_exactly(blocks[5], blocks[5], 2 * kPageSize));
  EXPECT_EQ(code_of(blocks[0]), c);
}

TEST_F(NotedChangesTest, ChangeInTheMiddleIsKnownWhereTheBlockStarts) {
  const SizeClass c = class_of_size(kMaxClassSize);
  const std::vector<char*> blocks = take_span(c);
  char* const page = blocks[1] + 2 * kSlotBytes + 3 * kPageSize;
  note(page, 1);
  EXPECT_EQ(code_of(blocks[0]), c);
  EXPECT_EQ(code_of(blocks[1]), kChanged);
  EXPECT_EQ(code_of(blocks[2]), c);
  EXPECT_TRUE(take_exactly(blocks[1], page, kPageSize));
  EXPECT_EQ(code_of(blocks[1]), c);
}

TEST_F(NotedChangesTest, SmallBlocksHaveNoPagesOfTheirOwn) {
  const SizeClass c = class_of_size(kPageSize / 2);
  const std::vector<char*> blocks = take_span(c);
  note(blocks[0], kSlotBytes);
  EXPECT_EQ(code_of(blocks[0]), c);
}

TEST_F(NotedChangesTest, SharedPagesOutliveTheirSpan) {
  const SizeClass c = class_of_size(kPageSize + kPageSize / 2);
  ASSERT_NE(kClasses[c].size % kPageSize, 0u);
  const std::vector<char*> blocks = take_span(c);
  note(blocks[0], size_t{kClasses[c].size} * 2);
  for (char* block : blocks) {
    depot.changes().take(lock, block);
    depot.put_block(lock, block);
  }
  EXPECT_EQ(depot.class_spans(c), 0u);
  ASSERT_TRUE(depot.changes().has_runs());
  const size_t free = depot.usage(lock).free_slot_bytes;
  const NotedChanges::Pages run = depot.changes().take_run(lock);
  EXPECT_FALSE(depot.changes().has_runs());
  EXPECT_EQ(run.start, blocks[0]);
  EXPECT_EQ(run.bytes, kSlotBytes);
  depot.purging().end(lock, depot.region().slot_of(run.start), 1, true);
  EXPECT_EQ(depot.usage(lock).free_slot_bytes, free + kSlotBytes);
  EXPECT_EQ(take_span(c)[0], blocks[0]);
  EXPECT_EQ(code_of(blocks[0]), c);
}

TEST_F(NotedChangesTest, RangesBeyondTheHeapMeanNothing) {
  char* const block = take_large(kMaxClassSize + 1);
  char* const base = depot.region().base();
  note(base - 10 * kPageSize, 10 * kPageSize);
  note(base + depot.region().mapped_bytes(), kPageSize);
  EXPECT_EQ(depot.changes().of_large(block), Change::kNone);
  note(base - 10 * kPageSize, size_t{1} << 40);
  EXPECT_EQ(depot.changes().of_large(block), Change::kFlags);
}

}  // namespace
}  // namespace mmt::native
