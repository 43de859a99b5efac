// One running process as `mmt stats PID` shows it: in ten lines, with every figure, or as JSON.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/stats/process_facts.h"

namespace mmt::cli {

struct Sample {
  pid_t process = 0;
  std::string program;
  std::string library;
  std::vector<std::uint64_t> values;  // in the order of kStatFields; empty: the process has ended
  ProcessFacts facts;
  std::chrono::steady_clock::time_point taken;
};

// Throws a Failure that says why there is none; `is_followed`: one has been taken before, so that
// an exec is waited for.
Sample take_sample(pid_t process, bool is_followed);

// With `before`, an earlier sample or nullptr, rates are those since then.
std::string lines_of(const Sample& now, const Sample* before);
std::string table_of(const Sample& now, const Sample* before);
std::string json_of(const Sample& now, int indent);

}  // namespace mmt::cli
