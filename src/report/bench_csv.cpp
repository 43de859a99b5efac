// The CSV reporter: one raw sample a line, quoted after RFC 4180 where needed.
#include <string_view>

#include <fmt/format.h>

#include "report/bench_reporters.h"

namespace mmt::report {
namespace {

std::string quoted(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::string bench_csv(const BenchResult& result) {
  std::string out = "suite,program,allocator,metric,unit,round,value\n";
  for (const BenchProgram& program : result.programs) {
    for (const Cell& cell : program.cells) {
      if (!cell.problem.empty()) continue;
      for (const Metric& metric : cell.metrics) {
        for (const Sample& sample : metric.samples) {
          out += fmt::format("{},{},{},{},{},{},{}\n", quoted(program.suite), quoted(program.name),
                             quoted(cell.allocator), quoted(metric.name), quoted(metric.unit),
                             sample.round, sample.value);
        }
      }
    }
  }
  return out;
}

}  // namespace mmt::report
