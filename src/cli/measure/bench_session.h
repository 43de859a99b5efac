// A benchmark run: every program under every allocator, interleaved, round by round.
//
// One warm-up round proves that each allocator is loaded into each program and tells how long a
// round takes; it is not counted. In each counted round the programs come in an order shuffled anew
// with a fixed seed, and so do the allocators of each program, which run one after another: what
// drifts on the machine hits all of them alike, and ratios pair runs of the same round.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/measure/bench_suite.h"
#include "cli/measure/contenders.h"
#include "report/bench_result.h"

namespace mmt::cli {

struct SessionPlan {
  std::vector<std::string> command_line;
  std::vector<SuiteProgram> programs;
  Contenders contenders;
  double budget = 0;  // seconds, 0: none. At least one round is run.
  double time_limit = 600;
  std::uint64_t seed = 1;
  bool show_progress = true;
  bool time_calls = false;  // one more run a round, see ProgramRuns::time_calls()
};

// Throws a Failure when nothing can be run or an allocator is not what it says; programs that fail
// are problems in the result.
report::BenchResult run_session(const SessionPlan& plan);

}  // namespace mmt::cli
