// Ranges of counts follow one another.
#include "sim/metrics/histogram.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::sim {
namespace {

TEST(Histogram, RangesFollowOneAnother) {
  unsigned last = 0;
  for (uint64_t value = 0; value < 100000; ++value) {
    const unsigned bucket = Histogram::bucket_of(value);
    ASSERT_LE(Histogram::low_of(bucket), value);
    ASSERT_GT(Histogram::low_of(bucket + 1), value);
    ASSERT_TRUE(bucket == last || bucket == last + 1);
    last = bucket;
  }
  EXPECT_LT(Histogram::bucket_of(UINT64_MAX), Histogram::kBuckets);
}

TEST(Histogram, SmallCountsAreExact) {
  Histogram histogram;
  for (const uint64_t value : {0, 3, 3, 31, 1000}) histogram.add(value);
  std::vector<std::pair<uint64_t, uint64_t>> seen;
  histogram.for_each([&](uint64_t low, uint64_t count) { seen.emplace_back(low, count); });
  EXPECT_EQ(seen, (std::vector<std::pair<uint64_t, uint64_t>>{{0, 1}, {3, 2}, {31, 1}, {960, 1}}));
}

}  // namespace
}  // namespace mmt::sim
