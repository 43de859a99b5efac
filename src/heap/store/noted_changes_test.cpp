// What is noted of pages that the program changes, and when it is forgotten.
#include "heap/store/noted_changes.h"

#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/pages.h>

#include "heap/store/large_runs.h"
#include "support/spans_fixture.h"

namespace mmt::store {
namespace {

using sys::kPageSize;

class NotedChangesTest : public test::SpansFixture {
 protected:
  NotedChangesTest() { large.open(&region, &runs, &tally); }

  char* take_large(size_t bytes) {
    CleanParts clean;
    return static_cast<char*>(large.take(lock, bytes, 1, &clean));
  }
  uint8_t code_of(const char* block) { return region.class_of(region.slot_of(block)); }
  void note(char* start, size_t bytes) { changes.note(lock, start, bytes, Change::kFlags); }
  // Whether a change of exactly these bytes is taken from the block.
  bool take_exactly(char* block, char* start, size_t bytes) {
    const NotedChanges::Pages pages = changes.take(lock, block);
    return pages.start == start && pages.bytes == bytes && pages.change != Change::kNone;
  }
  bool take_none(char* block) { return changes.take(lock, block).bytes == 0; }

  LargeRuns large;
};

TEST_F(NotedChangesTest, LargeBlockIsNotedAsAWhole) {
  char* const first = take_large(5 * kSlotBytes);
  char* const second = take_large(3 * kSlotBytes);
  note(first + 4 * kSlotBytes + 1, 1);
  EXPECT_EQ(changes.of_large(first), Change::kFlags);
  EXPECT_EQ(changes.of_large(second), Change::kNone);
  changes.note(lock, first + 5 * kSlotBytes - 1, 2, Change::kMapping);
  EXPECT_EQ(changes.of_large(second), Change::kMapping);
  note(first, 1);
  EXPECT_EQ(changes.of_large(first), Change::kMapping);
  EXPECT_TRUE(take_exactly(first, first, 5 * kSlotBytes));
  EXPECT_EQ(changes.of_large(first), Change::kNone);
}

TEST_F(NotedChangesTest, NextLargeBlockIsUnchanged) {
  char* const block = take_large(kMaxClassSize + 1);
  note(block, kPageSize);
  large.give(lock, block);
  ASSERT_EQ(take_large(kMaxClassSize + 1), block);
  EXPECT_EQ(changes.of_large(block), Change::kNone);
}

TEST_F(NotedChangesTest, PagesOfABlockAreTakenFromItAlone) {
  const SizeClass c = class_of_size(2 * kPageSize);
  const std::vector<char*> blocks = take_blocks(c);
  note(blocks[3] + kPageSize, kPageSize);
  note(blocks[5], 2 * kPageSize);
  EXPECT_EQ(code_of(blocks[0]), kChanged);
  EXPECT_EQ(region.true_class_of(region.slot_of(blocks[0])), c);
  EXPECT_TRUE(take_none(blocks[4]));
  EXPECT_TRUE(take_exactly(blocks[3], blocks[3] + kPageSize, kPageSize));
  EXPECT_TRUE(take_none(blocks[3]));
  EXPECT_EQ(code_of(blocks[0]), kChanged);
  EXPECT_TRUE(take_exactly(blocks[5], blocks[5], 2 * kPageSize));
  EXPECT_EQ(code_of(blocks[0]), c);
}

TEST_F(NotedChangesTest, ChangeInTheMiddleIsKnownWhereTheBlockStarts) {
  const SizeClass c = class_of_size(kMaxClassSize);
  const std::vector<char*> blocks = take_blocks(c);
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
  const std::vector<char*> blocks = take_blocks(c);
  note(blocks[0], kSlotBytes);
  EXPECT_EQ(code_of(blocks[0]), c);
}

TEST_F(NotedChangesTest, SharedPagesOutliveTheirSpan) {
  const SizeClass c = class_of_size(kPageSize + kPageSize / 2);
  ASSERT_NE(kClasses[c].size % kPageSize, 0u);
  const std::vector<char*> blocks = take_blocks(c);
  note(blocks[0], size_t{kClasses[c].size} * 2);
  for (char* block : blocks) {
    changes.take(lock, block);
    spans.put_block(lock, block);
  }
  EXPECT_EQ(spans.class_spans(c), 0u);
  ASSERT_TRUE(changes.has_runs());
  const size_t free = runs.slots(lock).free_slots();
  const NotedChanges::Pages run = changes.take_run(lock);
  EXPECT_FALSE(changes.has_runs());
  EXPECT_EQ(run.start, blocks[0]);
  EXPECT_EQ(run.bytes, kSlotBytes);
  runs.slots(lock).give(region.slot_of(run.start), 1, false);
  EXPECT_EQ(runs.slots(lock).free_slots(), free + 1);
  EXPECT_EQ(take_blocks(c)[0], blocks[0]);
  EXPECT_EQ(code_of(blocks[0]), c);
}

TEST_F(NotedChangesTest, RangesBeyondTheHeapMeanNothing) {
  char* const block = take_large(kMaxClassSize + 1);
  char* const base = region.base();
  note(base - 10 * kPageSize, 10 * kPageSize);
  note(base + region.mapped_bytes(), kPageSize);
  EXPECT_EQ(changes.of_large(block), Change::kNone);
  note(base - 10 * kPageSize, size_t{1} << 40);
  EXPECT_EQ(changes.of_large(block), Change::kFlags);
}

}  // namespace
}  // namespace mmt::store
