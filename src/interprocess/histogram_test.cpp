// Quantiles of the log-linear histogram against sorted values.
#include "interprocess/histogram.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::latency {
namespace {

TEST(Histogram, IsZeroWhenEmpty) {
  auto histogram = std::make_unique<Histogram>();
  EXPECT_EQ(histogram->quantile(0.5), 0u);
  EXPECT_EQ(histogram->max(), 0u);
  EXPECT_EQ(histogram->count(), 0u);
}

TEST(Histogram, KeepsSmallValuesExactly) {
  auto histogram = std::make_unique<Histogram>();
  for (uint64_t value = 0; value < 64; ++value) histogram->add(value);
  EXPECT_EQ(histogram->quantile(0), 0u);
  EXPECT_EQ(histogram->quantile(0.5), 32u);
  EXPECT_EQ(histogram->quantile(1), 63u);
}

TEST(Histogram, IsWithinItsResolution) {
  auto histogram = std::make_unique<Histogram>();
  std::vector<uint64_t> values;
  std::mt19937_64 generator(1);
  for (int i = 0; i < 100'000; ++i) {
    values.push_back(generator() >> (4 + generator() % 57));
    histogram->add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (double share : {0.0, 0.01, 0.5, 0.9, 0.99, 0.9999}) {
    auto exact = static_cast<double>(
        values[static_cast<size_t>(share * static_cast<double>(values.size()))]);
    EXPECT_NEAR(static_cast<double>(histogram->quantile(share)), exact, 1 + 0.016 * exact);
  }
  EXPECT_EQ(histogram->max(), values.back());
}

TEST(Histogram, TakesTheLargestValue) {
  auto histogram = std::make_unique<Histogram>();
  histogram->add(UINT64_MAX);
  EXPECT_EQ(histogram->max(), UINT64_MAX);
  EXPECT_GE(histogram->quantile(0.5), uint64_t{1} << 61);
}

}  // namespace
}  // namespace mmt::latency
