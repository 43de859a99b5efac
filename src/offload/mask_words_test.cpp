// Every encoder finds exactly the blocks that it was given, in runs of one word.
#include "offload/mask_words.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::offload {
namespace {

using native::kClassCount;
using native::kClasses;
using native::kSlotShift;
using native::SizeClass;

char* const kBase = reinterpret_cast<char*>(uintptr_t{0x2a} << 40);

std::vector<void*> decode(SizeClass c, const std::vector<MaskWord>& words) {
  std::vector<void*> blocks;
  for (const MaskWord& word : words)
    for (uint64_t bit = 0; bit < 64; ++bit)
      if (word.bits >> bit & 1)
        blocks.push_back(kBase + (word.position >> 6 << kSlotShift) +
                         ((word.position & 63) * 64 + bit) * kClasses[c].size);
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

void check(EncodeMasks encode, SizeClass c, const std::vector<void*>& blocks) {
  std::vector<MaskWord> words(blocks.size());
  words.resize(encode(kBase, c, blocks.data(), blocks.size(), words.data()));
  for (size_t i = 1; i < words.size(); ++i)
    ASSERT_NE(words[i].position, words[i - 1].position) << "class " << c;
  std::vector<void*> expected = blocks;
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(decode(c, words), expected) << "class " << c << ", " << blocks.size() << " blocks";
}

// All blocks of `spans` spans that lie side by side, the last of the region among them.
std::vector<void*> all_blocks(SizeClass c, size_t spans) {
  const size_t bytes = size_t{kClasses[c].span_slots} << kSlotShift;
  std::vector<void*> blocks;
  for (size_t span = 0; span < spans; ++span)
    for (uint32_t i = 0; i < kClasses[c].blocks; ++i)
      blocks.push_back(kBase + (span + 3) * bytes + size_t{i} * kClasses[c].size);
  return blocks;
}

class EncoderTest : public testing::TestWithParam<EncodeMasks> {};

TEST_P(EncoderTest, BlocksInOrder) {
  for (SizeClass c = 1; c < kClassCount; ++c) check(GetParam(), c, all_blocks(c, 2));
}

TEST_P(EncoderTest, ShuffledBlocks) {
  std::mt19937_64 random(7);
  for (SizeClass c = 1; c < kClassCount; ++c) {
    std::vector<void*> blocks = all_blocks(c, 3);
    std::shuffle(blocks.begin(), blocks.end(), random);
    check(GetParam(), c, blocks);
  }
}

TEST_P(EncoderTest, RunsOfEveryLength) {
  for (const SizeClass c : {SizeClass{1}, SizeClass{2}, SizeClass{5}, SizeClass{41}}) {
    const std::vector<void*> all = all_blocks(c, 2);
    for (size_t count = 0; count <= all.size() && count < 200; ++count)
      for (size_t from = 0; from < 8 && from + count <= all.size(); ++from)
        check(
            GetParam(), c,
            {all.begin() + static_cast<long>(from), all.begin() + static_cast<long>(from + count)});
  }
}

// Blocks of two words in turns: each change starts a word, and none is lost.
TEST_P(EncoderTest, WordsThatAlternate) {
  const std::vector<void*> all = all_blocks(2, 1);
  std::vector<void*> blocks;
  for (size_t i = 0; i < 64; ++i) {
    blocks.push_back(all[i]);
    blocks.push_back(all[i + 64]);
  }
  check(GetParam(), 2, blocks);
}

INSTANTIATE_TEST_SUITE_P(All, EncoderTest,
                         testing::Values(&encode_masks_portably, best_mask_encoder()));

}  // namespace
}  // namespace mmt::offload
