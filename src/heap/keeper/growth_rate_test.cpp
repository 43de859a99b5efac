// How much is made resident ahead of a growing heap.
#include "heap/keeper/growth_rate.h"

#include <gtest/gtest.h>

#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kMiB;
using test::kMs;

constexpr size_t kMost = 8 * kMiB;

size_t lead(const GrowthRate& rate, size_t share, size_t ready = 0) {
  return GrowthRate::lead(rate.soon(), {rate.grown(), share, kMost, ready});
}

TEST(GrowthRate, SomeMillisecondsAhead) {
  GrowthRate rate(4);
  rate.measure(0);
  rate.add(64 * kMiB);
  EXPECT_TRUE(rate.measure(64 * kMs));
  EXPECT_EQ(lead(rate, 8), 4 * kMiB);
  EXPECT_EQ(lead(rate, 32), 2 * kMiB) << "a share of the heap at most";
  EXPECT_EQ(lead(rate, 8, kMiB), 3 * kMiB) << "what lies ready is used first";
  EXPECT_EQ(lead(rate, 8, 5 * kMiB), 0U);
  EXPECT_EQ(rate.within(20), 20 * kMiB);
  EXPECT_EQ(rate.time_for(3 * kMiB), 3 * kMs);
}

TEST(GrowthRate, NeverMoreThanIsAllowed) {
  GrowthRate rate(4);
  rate.measure(0);
  rate.add(4096 * kMiB);
  rate.measure(kMs);
  EXPECT_EQ(lead(rate, 8), 8 * kMiB);
}

TEST(GrowthRate, FadesWhereNothingGrows) {
  GrowthRate rate(4);
  rate.measure(0);
  rate.add(64 * kMiB);
  rate.measure(64 * kMs);
  EXPECT_FALSE(rate.measure(64 * kMs + 1000)) << "too early to tell";
  EXPECT_EQ(lead(rate, 8), 4 * kMiB);
  rate.measure(65 * kMs);
  EXPECT_EQ(lead(rate, 8), 2 * kMiB);
  for (uint64_t ms = 66; ms < 200; ++ms) rate.measure(ms * kMs);
  EXPECT_EQ(lead(rate, 8), 0U);
  EXPECT_EQ(rate.time_for(1), UINT64_MAX);
}

}  // namespace
}  // namespace mmt::heap
