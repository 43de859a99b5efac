// ReturnedBits: what is left is taken once, by groups, from racing threads too.
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sync/returned_bits.h>

namespace mmt::sync {
namespace {

using Returned = ReturnedBits<>;

static_assert(std::is_standard_layout_v<Returned>);
static_assert(sizeof(Returned) == 4);
static_assert(sizeof(Returned::Word) == 8);

TEST(ReturnedBits, AllZeroIsEmpty) {
  Returned returned;
  Returned::Word word{};
  EXPECT_FALSE(returned.any());
  EXPECT_FALSE(returned.begin());
  EXPECT_EQ(Returned::take_marks(word), 0U);
  EXPECT_EQ(Returned::take(word), 0U);
}

TEST(ReturnedBits, BitsComeOutOnce) {
  Returned returned;
  Returned::Word words[2]{};
  Returned::Word marks{};
  returned.leave(words[0], 3, marks, 10);
  returned.leave(words[0], 63, marks, 10);
  returned.leave(words[1], 0, marks, 63);
  EXPECT_TRUE(returned.any());
  EXPECT_TRUE(returned.begin());
  EXPECT_FALSE(returned.any());
  EXPECT_EQ(Returned::take_marks(marks), uint64_t{1} << 10 | uint64_t{1} << 63);
  EXPECT_EQ(Returned::take(words[0]), uint64_t{1} << 3 | uint64_t{1} << 63);
  EXPECT_EQ(Returned::take(words[1]), 1U);
  EXPECT_EQ(Returned::take_marks(marks) | Returned::take(words[0]), 0U);
  EXPECT_FALSE(returned.begin());
}

TEST(ReturnedBits, WhatIsPutOffIsFoundAgain) {
  Returned returned;
  Returned::Word word{};
  Returned::Word marks{};
  returned.leave(word, 1, marks, 2);
  EXPECT_TRUE(returned.begin());
  returned.put_off();
  EXPECT_TRUE(returned.begin());
  EXPECT_EQ(Returned::take_marks(marks), uint64_t{1} << 2);
  EXPECT_EQ(Returned::take(word), uint64_t{1} << 1);
}

// Somebody made the mark and was stopped before the flag.
TEST(ReturnedBits, AMarkWithoutTheFlagHidesNothing) {
  Returned returned;
  Returned::Word word{};
  Returned::Word marks{uint64_t{1} << 2};
  returned.leave(word, 1, marks, 2);
  EXPECT_TRUE(returned.begin());
}

TEST(ReturnedBits, NoneIsLostBetweenThreads) {
  constexpr uint32_t kThreads = 3;
  constexpr uint32_t kWords = 64;
  constexpr uint32_t kRounds = 200;
  Returned returned;
  auto words = std::make_unique<std::array<Returned::Word, kWords>>();
  Returned::Word marks{};
  std::array<std::atomic<uint32_t>, kThreads> rounds{};  // the taker's count of each thread's bits
  std::vector<std::thread> threads;
  // Each thread has a bit in every word, and leaves it anew when all were taken.
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t round = 0; round < kRounds; ++round) {
        for (uint32_t w = 0; w < kWords; ++w) returned.leave((*words)[w], t, marks, w);
        while (rounds[t].load() != (round + 1) * kWords) std::this_thread::yield();
      }
    });
  }
  for (uint32_t left = kThreads * kWords * kRounds; left != 0;) {
    if (!returned.begin()) {
      std::this_thread::yield();
      continue;
    }
    for (uint64_t some = Returned::take_marks(marks); some != 0; some &= some - 1) {
      uint64_t bits = Returned::take((*words)[static_cast<size_t>(std::countr_zero(some))]);
      for (; bits != 0; bits &= bits - 1, --left)
        rounds[static_cast<size_t>(std::countr_zero(bits))].fetch_add(1);
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(returned.begin() && Returned::take_marks(marks) != 0);
}

}  // namespace
}  // namespace mmt::sync
