// Writes of words that were not read before, and of parts of words: a snapshot has all words that
// one commit wrote, or none. Halves of a word are different transactions' business.
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

class BlindWrites : public testing::TestWithParam<Setting> {};

TEST_P(BlindWrites, OfWordsAndParts) {
  Memory memory(GetParam().options);
  struct alignas(8) Word {
    uint32_t half[2];
  };
  Word words[4] = {};
  bool torn = false;
  const auto write = [&](uint32_t which) {
    Thread thread(memory);
    for (uint32_t i = 1; i <= 2000; ++i) {
      atomically(thread, [&](Tx& tx) {
        for (Word& word : words) tx.write(word.half[which], i);
      });
    }
  };
  std::vector<std::thread> threads;
  threads.emplace_back(write, 0U);
  threads.emplace_back(write, 1U);
  Thread reader(memory);
  uint32_t last[2] = {};
  for (int i = 0; i < 2000; ++i) {
    const bool whole = i % 2 == 0;
    const auto body = [&](Tx& tx) {
      uint32_t seen[2] = {tx.read(words[0].half[0]), tx.read(words[0].half[1])};
      for (Word& word : words) {
        for (int h = 0; h < 2; ++h) torn |= tx.read(word.half[h]) != seen[h];
      }
      for (int h = 0; h < 2; ++h) {
        torn |= seen[h] < last[h];
        last[h] = seen[h];
      }
    };
    if (whole)
      atomically(reader, body);
    else
      atomically_read_only(reader, body);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(torn);
  for (const Word& word : words) {
    EXPECT_EQ(word.half[0], 2000U);
    EXPECT_EQ(word.half[1], 2000U);
  }
}

INSTANTIATE_TEST_SUITE_P(Designs, BlindWrites, testing::ValuesIn(settings({0, 2, 12})),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::stm
