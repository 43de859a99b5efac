// When a program that waits for chunks is taken to wait for ever.
#include "tracing/standstill.h"

#include <gtest/gtest.h>

namespace {

using mmt::tracing::Standstill;

constexpr std::uint64_t kStep = 20'000'000;

// Looks as often as that many nanoseconds take, with threads that wait; the last look's answer.
struct Looks {
  Standstill standstill;
  std::uint64_t now = 1;
  std::uint64_t free = 0;
  std::uint64_t given = 0;
  std::uint64_t looks = 0;
  bool go_on(std::uint64_t ns, std::uint64_t new_looks = 1, std::uint64_t new_given = 0) {
    bool is_over = false;
    for (const std::uint64_t end = now + ns; now < end; now += kStep) {
      looks += new_looks;
      given += new_given;
      is_over = standstill.look(now, free, given, looks);
    }
    return is_over;
  }
};

constexpr std::uint64_t kLong = 2 * Standstill::kLimitNs;

TEST(Standstill, WaitingWithoutAnyChunk) {
  Looks one;
  EXPECT_FALSE(one.go_on(Standstill::kLimitNs - kStep));
  EXPECT_TRUE(one.go_on(kLong));
}

TEST(Standstill, ChunksThatComeBack) {
  Looks one;
  EXPECT_FALSE(one.go_on(kLong, 1, 1));
  EXPECT_TRUE(one.go_on(kLong));
}

TEST(Standstill, NobodyWaits) {
  Looks one;
  EXPECT_FALSE(one.go_on(kLong, 0));
  EXPECT_FALSE(one.go_on(Standstill::kLimitNs / 2));
  EXPECT_FALSE(one.go_on(kLong, 0));
}

TEST(Standstill, ChunksThatAreFree) {
  Looks one;
  one.free = 1;
  EXPECT_FALSE(one.go_on(kLong));
}

TEST(Standstill, ALookAfterALongStop) {
  Looks one;
  EXPECT_FALSE(one.go_on(Standstill::kLimitNs / 2));
  one.now += kLong;
  EXPECT_FALSE(one.go_on(kStep));
}

}  // namespace
