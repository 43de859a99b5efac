// Spans of small blocks: what is handed out, put back, and when they are dissolved.
#include "heap/store/spans.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/spans_fixture.h"

namespace mmt::store {
namespace {

class SpansTest : public test::SpansFixture {};

TEST_F(SpansTest, SpansOfEveryClassComeWhole) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const auto blocks = take_blocks(c);
    ASSERT_EQ(blocks.size(), kClasses[c].blocks);
    for (char* block : blocks) {
      ASSERT_EQ(region.class_of(region.slot_of(block)), c);
      block[0] = block[kClasses[c].size - 1] = 1;
    }
    EXPECT_EQ(spans.class_spans(c), 1u);
  }
  check_invariants();
}

TEST_F(SpansTest, SpanWithoutLiveBlocksIsDissolved) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    for (char* block : take_blocks(c)) put(block);
    EXPECT_EQ(spans.class_spans(c), 0u);
    EXPECT_EQ(spans.free_blocks(lock, c), 0u);
  }
  check_invariants();
  EXPECT_EQ(runs.in_use_bytes(), 0u);
}

TEST_F(SpansTest, FreedBlocksComeAgainLowestSpanFirst) {
  const SizeClass c = class_of_size(64);
  const auto low = take_blocks(c);
  const auto high = take_blocks(c);
  for (size_t i = 0; i < high.size(); i += 2) put(high[i]);
  for (size_t i = 0; i < low.size(); i += 2) put(low[i]);
  EXPECT_EQ(spans.free_blocks(lock, c), low.size() / 2 + high.size() / 2);
  const auto again = take_blocks(c);
  ASSERT_EQ(again.size(), low.size() / 2);
  for (size_t i = 0; i < again.size(); ++i) EXPECT_EQ(again[i], low[2 * i]);
}

TEST_F(SpansTest, RandomTrafficKeepsEveryBlockApart) {
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
      put(live[c][at]);
      live[c][at] = live[c].back();
      live[c].pop_back();
    }
  }
  for (SizeClass c = 1; c < kClassCount; ++c)
    EXPECT_EQ(spans.class_spans(c) * kClasses[c].blocks - spans.free_blocks(lock, c),
              live[c].size());
  check_invariants();
}

TEST_F(SpansTest, EachWayToPutABlockIsTheSame) {
  const SizeClass c = class_of_size(64);
  const auto blocks = take_blocks(c);
  void* const by_address[] = {blocks[1], blocks[70]};
  spans.put_blocks(lock, c, by_address, 2);
  const auto offset = [&](const char* block) {
    return static_cast<uint32_t>((block - region.base()) >> kOffsetUnitShift);
  };
  const uint32_t by_offset[] = {offset(blocks[3]), offset(blocks[71])};
  spans.put_offsets(lock, c, region.base(), by_offset, 2);
  uint64_t words[kMaxBitmapWords] = {uint64_t{1} << 5, uint64_t{1} << 8};
  spans.put_words(lock, region.slot_of(blocks[0]), words);
  EXPECT_EQ(spans.free_blocks(lock, c), 6u);
  uint64_t idle[kMaxBitmapWords];
  spans.take_idle(lock, region.slot_of(blocks[0]), idle);
  EXPECT_EQ(idle[0], uint64_t{0b101010});
  EXPECT_EQ(idle[1], uint64_t{0b111000000});
  EXPECT_EQ(spans.free_blocks(lock, c), 0u);
}

TEST_F(SpansTest, IdleBlocksArePutBackUnnoticed) {
  const auto blocks = take_blocks(class_of_size(64));
  EXPECT_FALSE(spans.touched());
  for (size_t i = 1; i < blocks.size(); ++i) put(blocks[i]);
  EXPECT_TRUE(spans.touched());
  EXPECT_TRUE(spans.take_touched(lock));
  uint64_t words[kMaxBitmapWords];
  spans.take_idle(lock, region.slot_of(blocks[0]), words);
  spans.put_idle(lock, region.slot_of(blocks[0]), words);
  EXPECT_FALSE(spans.touched());
  EXPECT_EQ(spans.free_blocks(lock, class_of_size(64)), blocks.size() - 1);
}

TEST_F(SpansTest, PoorSpanIsTakenByWhoAsksForIt) {
  const SizeClass c = class_of_size(64);
  uint64_t words[kMaxBitmapWords];
  EXPECT_EQ(spans.take_poor_span(lock, c, words).slot, kNoSlot);
  const auto blocks = take_blocks(c);
  for (size_t i = 0; i < blocks.size() / 16; ++i) put(blocks[i]);
  EXPECT_EQ(spans.take_poor_span(lock, c, words).slot, region.slot_of(blocks[0]));
  EXPECT_EQ(spans.free_blocks(lock, c), 0u);
}

}  // namespace
}  // namespace mmt::store
