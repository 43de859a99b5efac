// Medians and ratios of a BenchResult, computed once for every reporter.
//
// A ratio is always "cost of this allocator / cost of the other", paired by round: below 1 is
// better. For rates (units that end in "/s") the sides are swapped, so that this stays true.
// The *best peer* of an allocator is the one with the best median among all allocators that are
// not MMT, itself excepted; glibc counts as a peer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/bench_result.h"
#include "report/statistics.h"

namespace mmt::report {

struct Ratio {
  std::string against;
  Interval value;
};

struct CellSummary {
  std::string allocator;
  std::optional<Interval> value;  // nullopt: no samples
  std::optional<Ratio> to_glibc;
  std::optional<Ratio> to_best_peer;
};

// One metric of one program, over all allocators (in their order).
struct MetricSummary {
  std::string metric;
  std::string unit;
  std::vector<CellSummary> cells;
};

// Geometric means of an allocator's ratios over all programs that have them.
struct Overall {
  std::string allocator;
  int programs = 0;
  std::optional<double> to_glibc;
  std::optional<double> to_best_peer;
  double worst_to_best_peer = 0;
  std::string worst_program;
};

MetricSummary summarise(const BenchResult& result, const BenchProgram& program,
                        const std::string& metric);

// The names of all metrics of a program, in the order in which they first appear.
std::vector<std::string> metric_names(const BenchProgram& program);

std::vector<Overall> overall(const BenchResult& result, const std::string& metric);

}  // namespace mmt::report
