// Small blocks that are taken one at a time.
#include "heap/store/single_blocks.h"

#include <vector>

#include <gtest/gtest.h>

#include "support/spans_fixture.h"

namespace mmt::store {
namespace {

class SingleBlocksTest : public test::SpansFixture {
 protected:
  SingleBlocksTest() { singles.open(&region, &spans); }

  SingleBlocks singles;
};

TEST_F(SingleBlocksTest, SingleBlocksAreDistinctAndCounted) {
  const SizeClass c = class_of_size(100);
  std::vector<void*> blocks;
  for (uint32_t i = 0; i < 3 * kClasses[c].blocks; ++i) {
    blocks.push_back(singles.take(lock, c));
    ASSERT_NE(blocks.back(), nullptr);
    if (i > 0) {
      ASSERT_GT(blocks.back(), blocks[i - 1]);
    }
  }
  EXPECT_EQ(spans.free_blocks(lock, c) + singles.free_blocks(lock, c),
            spans.class_spans(c) * kClasses[c].blocks - blocks.size());
}

TEST_F(SingleBlocksTest, WhatIsLeftIsTheSpansAgain) {
  const SizeClass c = class_of_size(100);
  void* const block = singles.take(lock, c);
  EXPECT_EQ(singles.free_blocks(lock, c), kClasses[c].blocks - 1);
  EXPECT_EQ(spans.free_blocks(lock, c), 0u);
  singles.put_spans(lock);
  EXPECT_EQ(singles.free_blocks(lock, c), 0u);
  EXPECT_EQ(spans.free_blocks(lock, c), kClasses[c].blocks - 1);
  put(block);
  EXPECT_EQ(spans.class_spans(c), 0u);
  check_invariants();
}

TEST_F(SingleBlocksTest, PoorSpansComeFirstWhereTheyAreAskedFor) {
  const SizeClass c = class_of_size(64);
  EXPECT_EQ(singles.take(lock, c, SingleBlocks::Source::kPoorSpans), nullptr);
  const auto blocks = take_blocks(c);
  for (size_t i = 0; i < blocks.size() / 16; ++i) put(blocks[i]);
  EXPECT_EQ(singles.take(lock, c, SingleBlocks::Source::kPoorSpans), blocks[0]);
}

}  // namespace
}  // namespace mmt::store
