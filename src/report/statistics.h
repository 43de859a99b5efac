// Statistics of small samples: medians, bootstrap intervals, paired ratios.
//
// Everything here is deterministic: the bootstrap draws from a generator with a fixed seed, so the
// same samples always print the same interval. Functions taking samples accept any order and
// return NaN (or nullopt where said) for an empty sample.
#pragma once

#include <optional>
#include <span>

namespace mmt::report {

// A median with the bounds of its 95% bootstrap interval.
struct Interval {
  double median = 0;
  double low = 0;
  double high = 0;
};

double median(std::span<const double> samples);

// Percentile bootstrap of the median. With fewer than three samples the bounds are the extremes.
Interval median_interval(std::span<const double> samples);

// Median of numerators[i] / denominators[i]. Pairs whose denominator is zero are left out; nullopt
// when no pair remains. Precondition: both spans have the same length.
std::optional<Interval> paired_ratio(std::span<const double> numerators,
                                     std::span<const double> denominators);

// Precondition: every value is positive.
double geometric_mean(std::span<const double> values);

}  // namespace mmt::report
