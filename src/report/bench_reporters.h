// The reporters of a benchmark run: text for consoles, JSON (schema 1), CSV of the raw samples.
// docs/commands.md specifies the two file formats.
#pragma once

#include <string>

#include "report/bench_result.h"

namespace mmt::report {

std::string bench_console(const BenchResult& result);
std::string bench_json(const BenchResult& result);
std::string bench_csv(const BenchResult& result);

}  // namespace mmt::report
