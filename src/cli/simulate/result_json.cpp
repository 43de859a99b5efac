#include "cli/simulate/result_json.h"

#include <algorithm>
#include <string>

namespace mmt::cli {
namespace {

double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }
double ratio(uint64_t part, uint64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

Json of(const sim::Tally& tally) {
  return {{"mean", tally.mean()}, {"max", tally.max}, {"max_event", tally.max_event}};
}

Json of(const sim::Searches& searches) {
  Json json = of(searches.nodes);
  json["histogram"] = Json::array();
  searches.histogram.for_each([&](uint64_t low, uint64_t count) {
    json["histogram"].push_back({low, count});
  });
  return json;
}

// Whole pages of the paper's: what the heap grows by.
Json pages_of(const sim::Metrics& metrics, size_t growth) {
  const auto page = static_cast<double>(growth);
  return {{"mean", metrics.end.mean() / page}, {"max", metrics.end.max / growth}};
}

Json waste_of(const sim::Metrics& metrics) {
  const sim::Waste& waste = metrics.waste;
  return {{"header", waste.header},
          {"rounding", waste.rounding},
          {"minimum", waste.minimum},
          {"total", waste.total()},
          {"share", ratio(waste.total(), metrics.requested_bytes + waste.total())},
          {"mean", metrics.live_waste.mean()},
          {"max", metrics.live_waste.max}};
}

// Memory beyond what is asked for, as a share of that.
double excess(double had, double wanted) { return wanted == 0 ? 0 : had / wanted - 1; }

Json fragmentation_of(const sim::Metrics& metrics) {
  const sim::Fragmentation& one = metrics.fragmentation;
  const auto most_live = static_cast<double>(metrics.live.max);
  const auto most_end = static_cast<double>(metrics.end.max);
  const auto samples = static_cast<double>(one.average_count);
  return {{"average", excess(one.average_sum, samples)},
          {"at_most_live", excess(static_cast<double>(one.end_at_most_live), most_live)},
          {"at_most_used", excess(most_end, static_cast<double>(one.live_at_most_end))},
          {"most_used_most_live", excess(most_end, most_live)}};
}

Json coalescing_of(const sim::Metrics& metrics) {
  return {{"chunks_freed", metrics.chunks_freed},
          {"chunks_joined", metrics.chunks_joined},
          {"neighbours", metrics.neighbours}};
}

Json largest_free_of(const sim::Sampler& sampler) {
  sim::Tally tally;
  for (const sim::Sample& one : sampler.samples()) tally.add(one.largest_free, one.event);
  Json json = of(tally);
  json["samples"] = tally.count;
  return json;
}

void add_touches(const sim::Touches& touches, Json& json) {
  json["touched_lines"] = of(touches.lines());
  json["touched_lines"]["misses"] = ratio(touches.line_misses(), touches.lines().count);
  json["touched_pages"] = of(touches.pages());
  json["touched_pages"]["misses"] = ratio(touches.page_misses(), touches.pages().count);
}

constexpr double kOperationsOfJoin = 6;  // the paper's: two comparisons, three pointers, a sum

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::vector<uint8_t>& bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < count ? bytes[i + j] : 0);
    for (size_t j = 0; j < 4; ++j) {
      out += j <= count ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

// A byte a cell, column by column from address 0 up. 0: outside of the heap; else 1 + 254ths in
// use.
std::string map_of(const sim::Sampler& sampler, size_t rows) {
  std::vector<uint8_t> cells;
  for (const sim::Sample& one : sampler.samples()) {
    for (size_t row = 0; row < rows; ++row) {
      const bool is_inside = row < one.rows.size();
      const int shade = is_inside ? 1 + one.rows[row] * 254 / 255 : 0;
      cells.push_back(static_cast<uint8_t>(shade));
    }
  }
  return base64(cells);
}

}  // namespace

Json json_of(const sim::Metrics& metrics, const sim::Model& model, const sim::Sampler& sampler,
             const sim::Touches* touches) {
  const double joined = ratio(metrics.chunks_joined, metrics.chunks_freed);
  Json json{
      {"events", metrics.events},
      {"allocations", metrics.allocations},
      {"frees", metrics.frees},
      {"resizes", metrics.resizes},
      {"moved", metrics.moved},
      {"failed", metrics.failed},
      {"requested_bytes", metrics.requested_bytes},
      {"nodes_searched", {{"allocation", of(metrics.allocation)}, {"free", of(metrics.freeing)}}},
      {"coalescing_frequency", joined},
      {"integer_operations", joined * kOperationsOfJoin + (1 - joined)},
      {"coalescing", coalescing_of(metrics)},
      {"splits", metrics.splits},
      {"internal_fragmentation", waste_of(metrics)},
      {"fragmentation", fragmentation_of(metrics)},
      {"free_chunks", of(metrics.free_chunks)},
      {"largest_free", largest_free_of(sampler)},
      {"os_pages", pages_of(metrics, model.shape().growth)},
      {"growth_calls", metrics.growths},
      {"peak_bytes", metrics.end.max},
      {"resident_bytes", touches == nullptr ? Json() : Json(touches->written().bytes())},
      {"heap_bytes", of(metrics.end)},
      {"live_bytes", of(metrics.live)},
      {"rebalancing_nodes", metrics.rebalanced},
      {"touched_lines", nullptr},
      {"touched_pages", nullptr}};
  if (touches != nullptr && touches->is_of_each_operation()) add_touches(*touches, json);
  json["seconds"] = metrics.seconds;
  json["events_per_second"] = ratio(static_cast<double>(metrics.events), metrics.seconds);
  return json;
}

Json json_of_samples(const sim::Sampler& sampler) {
  Json json{{"event", Json::array()},       {"used", Json::array()},
            {"live", Json::array()},        {"free", Json::array()},
            {"free_chunks", Json::array()}, {"largest_free", Json::array()}};
  size_t rows = 0;
  for (const sim::Sample& one : sampler.samples()) {
    json["event"].push_back(one.event);
    json["used"].push_back(one.end);
    json["live"].push_back(one.live);
    json["free"].push_back(one.free);
    json["free_chunks"].push_back(one.free_chunks);
    json["largest_free"].push_back(one.largest_free);
    rows = std::max(rows, one.rows.size());
  }
  if (rows != 0) {
    json["map"] = {
        {"rows", rows}, {"row_bytes", sampler.row_bytes()}, {"cells", map_of(sampler, rows)}};
  }
  return json;
}

Json json_of(const sim::Bounds& bounds) {
  return {{"most_live", bounds.most_live},
          {"most_live_event", bounds.most_live_event},
          {"rounded_most_live", bounds.rounded_most_live},
          {"bump_bytes", bounds.bump_bytes},
          {"packing_bytes", bounds.packing_bytes},
          {"packing", bounds.packing}};
}

}  // namespace mmt::cli
