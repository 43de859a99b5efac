// The console reporter: a table of whole runs, one of latencies, one of the other metrics that
// programs report, then the geometric means.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "report/bench_reporters.h"
#include "report/bench_summary.h"
#include "report/text_table.h"
#include "report/units.h"

namespace mmt::report {
namespace {

bool is_built_in(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames{kWall, kCpu, kPeakRss, kMinorFaults,
                                                   kMajorFaults};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_latency(const MetricSummary& summary) {
  return summary.unit == "ns" || summary.metric.starts_with("malloc_") ||
         summary.metric.starts_with("free_");
}

std::string text(const std::optional<Ratio>& ratio) {
  return ratio ? fmt::format("{:.3f}", ratio->value.median) : "";
}

std::string value_text(const std::optional<Interval>& value, std::string_view unit) {
  return value ? format_value(value->median, unit) : "";
}

// The ratio that claims are made about, with its interval.
std::string claim(const std::optional<Ratio>& ratio) {
  if (!ratio) return "";
  return fmt::format("{:.3f} [{:.3f} {:.3f}]", ratio->value.median, ratio->value.low,
                     ratio->value.high);
}

std::string label(const BenchProgram& program) {
  return program.suite.empty() ? program.name : program.suite + "/" + program.name;
}

std::string runs_table(const BenchResult& result) {
  TextTable table({{"program", Align::kLeft},
                   {"allocator", Align::kLeft},
                   {"wall"},
                   {"95% interval", Align::kLeft},
                   {"vs glibc"},
                   {"vs best peer", Align::kLeft},
                   {"best peer", Align::kLeft},
                   {"CPU"},
                   {"peak RSS"},
                   {"RSS vs best"},
                   {"minor faults"},
                   {"major"},
                   {"runs"}});
  for (const BenchProgram& program : result.programs) {
    const MetricSummary wall = summarise(result, program, kWall);
    const MetricSummary cpu = summarise(result, program, kCpu);
    const MetricSummary rss = summarise(result, program, kPeakRss);
    const MetricSummary minor = summarise(result, program, kMinorFaults);
    const MetricSummary major = summarise(result, program, kMajorFaults);
    if (!table.empty()) table.add_gap();
    for (std::size_t i = 0; i < program.cells.size(); ++i) {
      const Cell& cell = program.cells[i];
      if (!cell.problem.empty()) {
        table.add_row({label(program), cell.allocator, "FAILED"});
        continue;
      }
      const auto& time = wall.cells[i];
      if (!time.value) continue;
      table.add_row({label(program), cell.allocator, value_text(time.value, wall.unit),
                     fmt::format("[{} {}]", format_value(time.value->low, wall.unit),
                                 format_value(time.value->high, wall.unit)),
                     text(time.to_glibc), claim(time.to_best_peer),
                     time.to_best_peer ? time.to_best_peer->against : "",
                     value_text(cpu.cells[i].value, cpu.unit),
                     value_text(rss.cells[i].value, rss.unit), text(rss.cells[i].to_best_peer),
                     value_text(minor.cells[i].value, minor.unit),
                     value_text(major.cells[i].value, major.unit),
                     fmt::format("{}", cell.find(kWall)->samples.size())});
    }
  }
  return table.render();
}

// One row a metric, one column an allocator, then what the first MMT column is worth.
std::string metrics_table(const BenchResult& result, bool latency) {
  std::vector<TextTable::Column> columns{{"program", Align::kLeft}, {"metric", Align::kLeft}};
  for (const BenchAllocator& one : result.allocators) columns.push_back({one.name, Align::kRight});
  const auto mmt = std::find_if(result.allocators.begin(), result.allocators.end(),
                                [](const BenchAllocator& one) { return one.is_mmt; });
  columns.push_back({"mmt/glibc", Align::kRight});
  columns.push_back({"mmt/best peer", Align::kLeft});
  columns.push_back({"best peer", Align::kLeft});
  TextTable table(std::move(columns));
  for (const BenchProgram& program : result.programs) {
    bool first = true;
    for (const std::string& name : program.shown.empty() ? metric_names(program) : program.shown) {
      if (is_built_in(name)) continue;
      const MetricSummary summary = summarise(result, program, name);
      if (summary.unit.empty() || is_latency(summary) != latency) continue;
      if (first && !table.empty()) table.add_gap();
      first = false;
      std::vector<std::string> row{label(program), name};
      for (const CellSummary& cell : summary.cells) {
        row.push_back(value_text(cell.value, summary.unit));
      }
      if (mmt != result.allocators.end()) {
        const auto at = static_cast<std::size_t>(mmt - result.allocators.begin());
        const CellSummary& cell = summary.cells[at];
        row.push_back(text(cell.to_glibc));
        row.push_back(claim(cell.to_best_peer));
        row.push_back(cell.to_best_peer ? cell.to_best_peer->against : "");
      }
      table.add_row(std::move(row));
    }
  }
  return table.empty() ? "" : table.render();
}

std::string overall_table(const BenchResult& result) {
  TextTable table({{"allocator", Align::kLeft},
                   {"programs"},
                   {"wall vs glibc"},
                   {"wall vs best peer"},
                   {"worst"},
                   {"worst at", Align::kLeft},
                   {"CPU vs glibc"},
                   {"RSS vs best peer"},
                   {"worst RSS"},
                   {"worst RSS at", Align::kLeft}});
  const auto wall = overall(result, kWall);
  const auto cpu = overall(result, kCpu);
  const auto rss = overall(result, kPeakRss);
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.3f}", *value) : std::string();
  };
  for (std::size_t i = 0; i < wall.size(); ++i) {
    if (wall[i].programs == 0) continue;
    const bool peers = wall[i].to_best_peer.has_value();
    table.add_row({wall[i].allocator, fmt::format("{}", wall[i].programs), number(wall[i].to_glibc),
                   number(wall[i].to_best_peer),
                   peers ? fmt::format("{:.3f}", wall[i].worst_to_best_peer) : "",
                   wall[i].worst_program, number(cpu[i].to_glibc), number(rss[i].to_best_peer),
                   peers ? fmt::format("{:.3f}", rss[i].worst_to_best_peer) : "",
                   rss[i].worst_program});
  }
  return table.render();
}

}  // namespace

std::string bench_console(const BenchResult& result) {
  std::string out = runs_table(result);
  if (const std::string table = metrics_table(result, false); !table.empty()) {
    out += "\nReported by the programs (medians)\n" + table;
  }
  if (const std::string table = metrics_table(result, true); !table.empty()) {
    out += "\nLatency of calls (medians)\n" + table;
  }
  if (result.programs.size() > 1)
    out += "\nGeometric means over programs\n" + overall_table(result);
  for (const BenchProgram& program : result.programs) {
    for (const Cell& cell : program.cells) {
      if (cell.problem.empty()) continue;
      out +=
          fmt::format("\nFAILED: {} with {}: {}\n", label(program), cell.allocator, cell.problem);
    }
  }
  for (const Missing& one : result.missing_allocators) {
    out += fmt::format("\nallocator left out: {} ({})\n", one.name, one.remedy);
  }
  for (const Missing& one : result.missing_programs) {
    out += fmt::format("\nprogram left out: {} ({})\n", one.name, one.remedy);
  }
  return out;
}

}  // namespace mmt::report
