// Medians, the percentile bootstrap and paired ratios.
#include "report/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace mmt::report {
namespace {

constexpr int kResamples = 2000;
constexpr double kTail = 0.025;
constexpr unsigned kSeed = 20260101;

double median_in_place(std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace

double median(std::span<const double> samples) {
  std::vector<double> values(samples.begin(), samples.end());
  return median_in_place(values);
}

Interval median_interval(std::span<const double> samples) {
  const double centre = median(samples);
  if (samples.empty()) return {centre, centre, centre};
  if (samples.size() < 3) {
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
    return {centre, *low, *high};
  }
  std::mt19937 generator(kSeed);
  std::vector<double> medians(kResamples);
  std::vector<double> draw(samples.size());
  for (double& one : medians) {
    // The modulo bias of a 32-bit draw over a few dozen samples is below 1e-8.
    for (double& value : draw) value = samples[generator() % samples.size()];
    one = median_in_place(draw);
  }
  std::sort(medians.begin(), medians.end());
  const auto at = [&](double share) {
    return medians[static_cast<std::size_t>(std::lround(share * (kResamples - 1)))];
  };
  return {centre, at(kTail), at(1 - kTail)};
}

std::optional<Interval> paired_ratio(std::span<const double> numerators,
                                     std::span<const double> denominators) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < numerators.size(); ++i) {
    if (denominators[i] != 0) ratios.push_back(numerators[i] / denominators[i]);
  }
  if (ratios.empty()) return std::nullopt;
  return median_interval(ratios);
}

double geometric_mean(std::span<const double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace mmt::report
