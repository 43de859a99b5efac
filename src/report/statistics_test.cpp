// Tests of the sample statistics: known medians, interval bounds, pairing.
#include "report/statistics.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::report {
namespace {

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
  EXPECT_TRUE(std::isnan(median(std::vector<double>{})));
}

TEST(Statistics, IntervalHoldsTheMedianAndStaysInsideTheSample) {
  const std::vector<double> samples{1.0, 1.1, 0.9, 1.2, 5.0, 1.05, 0.95};
  const Interval interval = median_interval(samples);
  EXPECT_EQ(interval.median, 1.05);
  EXPECT_LE(interval.low, interval.median);
  EXPECT_GE(interval.high, interval.median);
  EXPECT_GE(interval.low, 0.9);
  EXPECT_LT(interval.high, 5.0) << "one outlier of seven must not bound the median";
}

TEST(Statistics, IntervalIsRepeatable) {
  const std::vector<double> samples{3, 1, 4, 1, 5, 9, 2, 6};
  EXPECT_EQ(median_interval(samples).low, median_interval(samples).low);
  EXPECT_EQ(median_interval(samples).high, median_interval(samples).high);
}

TEST(Statistics, IntervalOfConstantSamplesIsAPoint) {
  const Interval interval = median_interval(std::vector<double>{2, 2, 2, 2});
  EXPECT_EQ(interval.low, 2);
  EXPECT_EQ(interval.high, 2);
}

TEST(Statistics, TwoSamplesGiveTheirExtremes) {
  const Interval interval = median_interval(std::vector<double>{4, 2});
  EXPECT_EQ(interval.median, 3);
  EXPECT_EQ(interval.low, 2);
  EXPECT_EQ(interval.high, 4);
}

TEST(Statistics, PairedRatioCancelsDriftCommonToBothSides) {
  const std::vector<double> slow{2, 4, 8};
  const std::vector<double> fast{1, 2, 4};
  const auto ratio = paired_ratio(slow, fast);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->median, 2);
  EXPECT_EQ(ratio->low, 2);
  EXPECT_EQ(ratio->high, 2);
}

TEST(Statistics, PairedRatioLeavesOutZeroDenominators) {
  EXPECT_FALSE(paired_ratio(std::vector<double>{1, 2}, std::vector<double>{0, 0}));
  EXPECT_EQ(paired_ratio(std::vector<double>{1, 6}, std::vector<double>{0, 2})->median, 3);
}

TEST(Statistics, GeometricMean) {
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{0.5, 2}), 1);
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{4}), 4);
}

}  // namespace
}  // namespace mmt::report
