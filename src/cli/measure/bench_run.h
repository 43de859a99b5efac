// The runs of one program of a benchmark, under whatever allocator.
#pragma once

#include <string>
#include <vector>

#include "cli/measure/bench_child.h"
#include "cli/measure/bench_suite.h"
#include "cli/measure/temporary_folder.h"
#include "report/bench_result.h"

namespace mmt::cli {

class ProgramRuns {
 public:
  ProgramRuns(SuiteProgram program, std::string path, double time_limit)
      : program_(std::move(program)), path_(std::move(path)), time_limit_(time_limit) {}

  const SuiteProgram& program() const { return program_; }

  // Both return what went wrong, or nothing.
  // Runs once, uncounted: the allocator must be loaded, the program succeed and, where its suite
  // says so, its output be that of the first allocator.
  std::string warm_up(const report::BenchAllocator& allocator, const TemporaryFolder& folder);
  // Runs once and adds one sample to each metric, measured and reported ones.
  std::string measure(const report::BenchAllocator& allocator, const TemporaryFolder& folder,
                      int round, std::vector<report::Metric>& metrics) const;
  // Runs once more with every call of the allocator timed by libmmt-latency.so, and adds what that
  // shows: the timing itself takes time, so nothing else is taken from this run.
  std::string time_calls(const report::BenchAllocator& allocator, const TemporaryFolder& folder,
                         int round, std::vector<report::Metric>& metrics) const;

 private:
  // `before`: a library to load before the allocator's, or none.
  ChildSpec spec_for(const report::BenchAllocator& allocator, const TemporaryFolder& folder,
                     const std::string& before = "") const;

  SuiteProgram program_;
  std::string path_;
  double time_limit_;
  std::string first_output_;
  bool has_output_ = false;
};

// Lines "key value unit" that a workload wrote to the file named by MMT_BENCH_REPORT. A later line
// of the same key wins. Throws a Failure that names a malformed line.
struct ReportedValue {
  std::string key;
  double value = 0;
  std::string unit;
};
std::vector<ReportedValue> parse_report(const std::string& text);

}  // namespace mmt::cli
