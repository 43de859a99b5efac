// One running process as `mmt stats PID` shows it: in ten lines, with every figure, or as JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/stats/process_facts.h"
#include "cli/stats/stats_reader.h"

namespace mmt::cli {

struct Sample {
  std::vector<std::uint64_t> values;  // in the order of kStatFields; empty: the process has ended
  ProcessFacts facts;
  std::chrono::steady_clock::time_point taken;
};

Sample take_sample(StatsReader& reader);

// With `before`, an earlier sample or nullptr, rates are those since then.
std::string lines_of(const StatsReader& reader, const Sample& now, const Sample* before);
std::string table_of(const StatsReader& reader, const Sample& now, const Sample* before);
std::string json_of(const StatsReader& reader, const Sample& now, int indent);

}  // namespace mmt::cli
