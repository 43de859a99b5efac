// The generator's ranges and the shape of its log-uniform sizes.
#include "common/rng.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

namespace mmt::workloads {
namespace {

TEST(Rng, RepeatsWithTheSameSeedOnly) {
  Rng one(5), same(5), other(6);
  uint64_t first = one.next();
  EXPECT_EQ(first, same.next());
  EXPECT_NE(first, other.next());
}

TEST(Rng, StaysInRange) {
  Rng rng(0);
  for (int i = 0; i < 100'000; ++i) {
    EXPECT_LT(rng.below(10), 10u);
    uint64_t value = rng.between(16, 256);
    EXPECT_GE(value, 16u);
    EXPECT_LE(value, 256u);
    uint64_t size = rng.log_uniform(64 << 10, 64 << 20);
    EXPECT_GT(size, 64u << 10);
    EXPECT_LE(size, 64u << 20);
  }
  EXPECT_EQ(rng.log_uniform(64, 64), 64u);
}

TEST(Rng, VisitsEveryOctaveAlike) {
  Rng rng(2);
  std::array<int, 65> octaves{};
  for (int i = 0; i < 80'000; ++i)
    ++octaves[static_cast<size_t>(std::bit_width(rng.log_uniform(16, 4096) - 1))];
  for (size_t octave = 5; octave <= 12; ++octave) EXPECT_NEAR(octaves[octave], 10'000, 500);
}

}  // namespace
}  // namespace mmt::workloads
