// Small blocks that come back without the lock, and rest until somebody holds it.
#include "heap/store/returned_blocks.h"

#include <gtest/gtest.h>

#include "support/spans_fixture.h"

namespace mmt::store {
namespace {

class ReturnedBlocksTest : public test::SpansFixture {
 protected:
  ReturnedBlocksTest() { returned.open(&region, &spans); }

  ReturnedBlocks returned;
};

TEST_F(ReturnedBlocksTest, OthersOfACarvedBlocksSpanAreTheDepots) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    void* const block = returned.carve_block(c);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(returned.has_any(), kClasses[c].blocks > 1);
    EXPECT_TRUE(returned.collect(lock, ~size_t{0}));
    EXPECT_EQ(spans.free_blocks(lock, c), kClasses[c].blocks - 1);
    put(block);
    EXPECT_EQ(spans.class_spans(c), 0u);
  }
}

TEST_F(ReturnedBlocksTest, ReturnedBlocksRestUntilCollected) {
  const SizeClass c = class_of_size(200);
  const auto blocks = take_blocks(c);
  EXPECT_FALSE(returned.has_any());
  for (size_t i = 1; i < blocks.size(); ++i) returned.add(blocks[i]);
  EXPECT_TRUE(returned.has_any());
  EXPECT_EQ(spans.free_blocks(lock, c), 0u);
  EXPECT_TRUE(returned.collect(lock, 64));
  EXPECT_EQ(spans.free_blocks(lock, c), blocks.size() - 1);
  returned.add(blocks[0]);
  EXPECT_TRUE(returned.collect(lock, 64));
  EXPECT_EQ(spans.class_spans(c), 0u);
}

// The thread that left a block was overtaken: another's mark brought it, and its span is gone.
TEST_F(ReturnedBlocksTest, AMarkThatComesLateFindsNothing) {
  const SizeClass c = class_of_size(200);
  const auto blocks = take_blocks(c);
  const Slot slot = region.slot_of(blocks[0]);
  for (void* block : blocks) returned.add(block);
  EXPECT_TRUE(returned.collect(lock, 64));
  EXPECT_EQ(spans.class_spans(c), 0u);
  const auto other = take_blocks(class_of_size(64));
  region.returned_marks(slot).fetch_or(uint64_t{1} << (slot % 64));
  returned.add(other[0]);
  EXPECT_TRUE(returned.collect(lock, 64));
  EXPECT_EQ(spans.class_spans(c), 0u);
  EXPECT_EQ(spans.free_blocks(lock, c), 0u);
  EXPECT_EQ(spans.free_blocks(lock, class_of_size(64)), 1u);
}

TEST_F(ReturnedBlocksTest, BlocksOfOneSpanAreTakenToBeLookedAt) {
  const auto blocks = take_blocks(class_of_size(200));
  uint64_t words[kMaxBitmapWords] = {};
  EXPECT_EQ(returned.take(lock, words), kNoSlot);
  returned.add(blocks[2]);
  returned.add(blocks[65]);
  EXPECT_EQ(returned.take(lock, words), region.slot_of(blocks[0]));
  EXPECT_EQ(words[0], uint64_t{1} << 2);
  EXPECT_EQ(words[1], uint64_t{1} << 1);
  EXPECT_EQ(returned.take(lock, words), kNoSlot);
  EXPECT_EQ(spans.free_blocks(lock, class_of_size(200)), 0u) << "they are the caller's";
}

}  // namespace
}  // namespace mmt::store
