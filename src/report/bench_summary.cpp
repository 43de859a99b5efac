// Medians, paired ratios and geometric means of a benchmark run.
#include "report/bench_summary.h"

#include <algorithm>
#include <cstddef>

#include "report/units.h"

namespace mmt::report {
namespace {

std::vector<double> values_of(const Metric& metric) {
  std::vector<double> values;
  for (const Sample& sample : metric.samples) values.push_back(sample.value);
  return values;
}

const Metric* good_metric(const Cell& cell, const std::string& name) {
  const Metric* metric = cell.problem.empty() ? cell.find(name) : nullptr;
  return metric != nullptr && !metric->samples.empty() ? metric : nullptr;
}

std::optional<Ratio> ratio(const Metric& mine, const Metric& other, const std::string& against) {
  std::vector<double> mine_values;
  std::vector<double> other_values;
  for (const Sample& sample : mine.samples) {
    const auto partner = std::find_if(other.samples.begin(), other.samples.end(),
                                      [&](const Sample& s) { return s.round == sample.round; });
    if (partner == other.samples.end()) continue;
    mine_values.push_back(sample.value);
    other_values.push_back(partner->value);
  }
  const auto value = higher_is_better(mine.unit) ? paired_ratio(other_values, mine_values)
                                                 : paired_ratio(mine_values, other_values);
  if (!value) return std::nullopt;
  return Ratio{against, *value};
}

const Cell* best_peer(const BenchResult& result, const BenchProgram& program,
                      const std::string& metric, std::size_t self) {
  const Cell* best = nullptr;
  double best_median = 0;
  for (std::size_t i = 0; i < program.cells.size(); ++i) {
    if (i == self || result.allocators[i].is_mmt) continue;
    const Metric* candidate = good_metric(program.cells[i], metric);
    if (candidate == nullptr) continue;
    const double value = median(values_of(*candidate));
    const bool better =
        higher_is_better(candidate->unit) ? value > best_median : value < best_median;
    if (best == nullptr || better) {
      best = &program.cells[i];
      best_median = value;
    }
  }
  return best;
}

}  // namespace

MetricSummary summarise(const BenchResult& result, const BenchProgram& program,
                        const std::string& metric) {
  MetricSummary summary{metric, {}, {}};
  const auto glibc = std::find_if(program.cells.begin(), program.cells.end(),
                                  [](const Cell& cell) { return cell.allocator == "glibc"; });
  for (std::size_t i = 0; i < program.cells.size(); ++i) {
    CellSummary cell{program.cells[i].allocator, {}, {}, {}};
    if (const Metric* mine = good_metric(program.cells[i], metric)) {
      summary.unit = mine->unit;
      cell.value = median_interval(values_of(*mine));
      const Metric* base = glibc != program.cells.end() ? good_metric(*glibc, metric) : nullptr;
      if (base != nullptr) cell.to_glibc = ratio(*mine, *base, "glibc");
      if (const Cell* best = best_peer(result, program, metric, i)) {
        cell.to_best_peer = ratio(*mine, *best->find(metric), best->allocator);
      }
    }
    summary.cells.push_back(std::move(cell));
  }
  return summary;
}

std::vector<std::string> metric_names(const BenchProgram& program) {
  std::vector<std::string> names;
  for (const Cell& cell : program.cells) {
    for (const Metric& metric : cell.metrics) {
      if (std::find(names.begin(), names.end(), metric.name) == names.end()) {
        names.push_back(metric.name);
      }
    }
  }
  return names;
}

std::vector<Overall> overall(const BenchResult& result, const std::string& metric) {
  std::vector<MetricSummary> summaries;
  for (const BenchProgram& program : result.programs) {
    summaries.push_back(summarise(result, program, metric));
  }
  std::vector<Overall> all;
  for (std::size_t i = 0; i < result.allocators.size(); ++i) {
    Overall one{result.allocators[i].name, 0, {}, {}, 0, {}};
    std::vector<double> to_glibc;
    std::vector<double> to_best;
    for (std::size_t p = 0; p < summaries.size(); ++p) {
      const CellSummary& cell = summaries[p].cells[i];
      if (!cell.value) continue;
      ++one.programs;
      if (cell.to_glibc && cell.to_glibc->value.median > 0) {
        to_glibc.push_back(cell.to_glibc->value.median);
      }
      if (!cell.to_best_peer || cell.to_best_peer->value.median <= 0) continue;
      to_best.push_back(cell.to_best_peer->value.median);
      if (to_best.back() > one.worst_to_best_peer) {
        one.worst_to_best_peer = to_best.back();
        one.worst_program = result.programs[p].name;
      }
    }
    if (!to_glibc.empty()) one.to_glibc = geometric_mean(to_glibc);
    if (!to_best.empty()) one.to_best_peer = geometric_mean(to_best);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace mmt::report
