// How much is prepared ahead of a growing heap.
#include "agnostic/beside/growth_rate.h"

#include <gtest/gtest.h>

namespace mmt::agnostic {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr uint64_t kMs = 1'000'000;
constexpr size_t kMost = 8 * kMiB;

TEST(GrowthRate, FourMillisecondsAhead) {
  GrowthRate rate;
  rate.measure(0);
  rate.add(64 * kMiB);
  rate.measure(64 * kMs);
  EXPECT_EQ(rate.lead(8, kMost), 4 * kMiB);
  EXPECT_EQ(rate.lead(32, kMost), 2 * kMiB) << "a share of the heap at most";
  EXPECT_EQ(rate.time_for(3 * kMiB), 3 * kMs);
}

TEST(GrowthRate, NeverMoreThanIsAllowed) {
  GrowthRate rate;
  rate.measure(0);
  rate.add(4096 * kMiB);
  rate.measure(kMs);
  EXPECT_EQ(rate.lead(8, kMost), 8 * kMiB);
}

TEST(GrowthRate, FadesWhereNothingGrows) {
  GrowthRate rate;
  rate.measure(0);
  rate.add(64 * kMiB);
  rate.measure(64 * kMs);
  rate.measure(64 * kMs + 1000);  // too early to tell
  EXPECT_EQ(rate.lead(8, kMost), 4 * kMiB);
  rate.measure(65 * kMs);
  EXPECT_EQ(rate.lead(8, kMost), 2 * kMiB);
  for (uint64_t ms = 66; ms < 200; ++ms) rate.measure(ms * kMs);
  EXPECT_EQ(rate.lead(8, kMost), 0U);
  EXPECT_EQ(rate.time_for(1), UINT64_MAX);
}

}  // namespace
}  // namespace mmt::agnostic
