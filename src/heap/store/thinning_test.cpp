// Spans that a few live blocks keep: what goes back to the OS of them, and what stays.
#include "heap/store/thinning.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "support/refused_calls.h"
#include "support/spans_fixture.h"

namespace mmt::store {
namespace {

class ThinningTest : public test::SpansFixture {
 protected:
  ThinningTest() { thinning.open(&region, &spans); }

  Thinning thinning;
};

TEST_F(ThinningTest, ThinningGivesPagesOfUntouchedSpansBackAndKeepsLiveBlocks) {
  const SizeClass c = class_of_size(1000);
  std::vector<char*> blocks = take_blocks(c);
  for (char* block : blocks) std::memset(block, 0x5a, kClasses[c].size);
  char* live = blocks[blocks.size() / 2];
  for (char* block : blocks)
    if (block != live) put(block);
  EXPECT_TRUE(spans.touched());

  uint64_t words[kMaxBitmapWords];
  Slot from = 0;
  EXPECT_EQ(thinning.begin(lock, &from, kMaxSlots, words), kNoSlot) << "touched until now";
  EXPECT_EQ(from, region.frontier());
  from = 0;
  const Slot slot = thinning.begin(lock, &from, kMaxSlots, words);
  ASSERT_EQ(slot, region.slot_of(blocks[0]));
  EXPECT_EQ(spans.free_blocks(lock, c), 0u) << "the caller's";
  EXPECT_GE(thinning.thin_pages(slot, words), kSlotBytes - 3 * 4096);
  thinning.end(lock, slot, words);
  EXPECT_EQ(spans.free_blocks(lock, c), blocks.size() - 1);
  EXPECT_EQ(blocks[0][0], 0) << "the page was given back";
  for (uint32_t i = 0; i < kClasses[c].size; ++i) ASSERT_EQ(live[i], 0x5a);

  from = 0;
  EXPECT_EQ(thinning.begin(lock, &from, kMaxSlots, words), kNoSlot) << "once is enough";
  const auto again = take_blocks(c);
  EXPECT_EQ(again.size(), blocks.size() - 1);
  for (char* block : again) put(block);
  put(live);
  EXPECT_EQ(spans.class_spans(c), 0u);
  check_invariants();
}

TEST_F(ThinningTest, PagesThatTheSystemRefusesStay) {
  const SizeClass c = class_of_size(1000);
  std::vector<char*> blocks = take_blocks(c);
  for (char* block : blocks) std::memset(block, 0x5a, kClasses[c].size);
  char* const live = blocks.back();
  blocks.pop_back();
  for (char* block : blocks) put(block);
  uint64_t words[kMaxBitmapWords];
  Slot from = 0;
  ASSERT_EQ(thinning.begin(lock, &from, kMaxSlots, words), kNoSlot);
  from = 0;
  const Slot slot = thinning.begin(lock, &from, kMaxSlots, words);
  ASSERT_NE(slot, kNoSlot);
  {
    const test::RefusedCalls refused{sys::fake::Call::kDiscard};
    EXPECT_EQ(thinning.thin_pages(slot, words), 0u);
    EXPECT_GT(refused.count(sys::fake::Call::kDiscard), 0u);
  }
  thinning.end(lock, slot, words);
  EXPECT_EQ(spans.free_blocks(lock, c), blocks.size());
  EXPECT_EQ(take_blocks(c).size(), blocks.size()) << "usable as before";
  for (char* block : blocks) put(block);
  put(live);
  check_invariants();
}

TEST_F(ThinningTest, SpanWhoseLastBlocksComeWhileItIsThinnedIsDissolved) {
  const SizeClass c = class_of_size(1000);
  std::vector<char*> blocks = take_blocks(c);
  char* live = blocks.back();
  blocks.pop_back();
  for (char* block : blocks) put(block);
  uint64_t words[kMaxBitmapWords];
  Slot from = 0;
  ASSERT_EQ(thinning.begin(lock, &from, kMaxSlots, words), kNoSlot);
  from = 0;
  const Slot slot = thinning.begin(lock, &from, kMaxSlots, words);
  ASSERT_NE(slot, kNoSlot);
  put(live);
  thinning.thin_pages(slot, words);
  thinning.end(lock, slot, words);
  EXPECT_EQ(spans.class_spans(c), 0u);
  check_invariants();
}

}  // namespace
}  // namespace mmt::store
