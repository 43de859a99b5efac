// The JSON reporter, schema 1: medians, intervals, ratios and every raw sample.
#include <nlohmann/json.hpp>

#include "report/bench_reporters.h"
#include "report/bench_summary.h"

namespace mmt::report {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Interval& value) {
  return {{"median", value.median}, {"low", value.low}, {"high", value.high}};
}

Json to_json(const Ratio& ratio) {
  Json json = to_json(ratio.value);
  json["against"] = ratio.against;
  return json;
}

Json to_json(const std::vector<Missing>& missing) {
  Json json = Json::array();
  for (const Missing& one : missing) json.push_back({{"name", one.name}, {"remedy", one.remedy}});
  return json;
}

Json to_json(const BenchResult& result, const BenchProgram& program) {
  Json json{{"suite", program.suite},
            {"name", program.name},
            {"command", program.command},
            {"pin", program.pin},
            {"cells", Json::array()}};
  std::vector<MetricSummary> summaries;
  for (const std::string& name : metric_names(program)) {
    summaries.push_back(summarise(result, program, name));
  }
  for (std::size_t i = 0; i < program.cells.size(); ++i) {
    const Cell& cell = program.cells[i];
    Json metrics = Json::object();
    for (const MetricSummary& summary : summaries) {
      const CellSummary& mine = summary.cells[i];
      if (!mine.value) continue;
      Json metric = to_json(*mine.value);
      metric["unit"] = summary.unit;
      if (mine.to_glibc) metric["to_glibc"] = to_json(*mine.to_glibc);
      if (mine.to_best_peer) metric["to_best_peer"] = to_json(*mine.to_best_peer);
      metric["samples"] = Json::array();
      for (const Sample& sample : cell.find(summary.metric)->samples) {
        metric["samples"].push_back({{"round", sample.round}, {"value", sample.value}});
      }
      metrics[summary.metric] = std::move(metric);
    }
    json["cells"].push_back({{"allocator", cell.allocator},
                             {"problem", cell.problem.empty() ? Json() : Json(cell.problem)},
                             {"metrics", std::move(metrics)}});
  }
  return json;
}

}  // namespace

std::string bench_json(const BenchResult& result) {
  Json json{{"schema", 1}, {"kind", "bench"}, {"command", result.command}};
  Json machine = Json::object();
  for (const auto& [key, value] : result.machine) machine[key] = value;
  json["machine"] = std::move(machine);
  json["seed"] = result.seed;
  json["rounds"] = result.rounds_done;
  json["rss_floor"] = result.rss_floor;
  json["allocators"] = Json::array();
  for (const BenchAllocator& one : result.allocators) {
    json["allocators"].push_back({{"name", one.name},
                                  {"path", one.path},
                                  {"options", one.options},
                                  {"malloc_from", one.malloc_from}});
  }
  json["missing_allocators"] = to_json(result.missing_allocators);
  json["missing_programs"] = to_json(result.missing_programs);
  json["programs"] = Json::array();
  for (const BenchProgram& program : result.programs) {
    json["programs"].push_back(to_json(result, program));
  }
  // A program may report bytes that are no UTF-8; a report must not fail for that.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mmt::report
