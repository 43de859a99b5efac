// Random operations on trace files. A run takes as long as it reads, so they are few.
#include "trace_file/trace_file_state.h"

#include <exception>

#include <gtest/gtest.h>

#include "driver/driver.h"

namespace mmt::fuzz {
namespace {

constexpr uint64_t kRuns = 6;
constexpr size_t kMostOps = 40;

TEST(TraceFileState, ReadsWithinItsBound) {
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    std::vector<TraceFileState::Op> ops;
    try {
      run_one<TraceFileState>(seed, kMostOps, &ops);
    } catch (const std::exception& failure) {
      FAIL() << "seed " << seed << ", operation " << ops.size() << ": " << failure.what();
    }
  }
}

}  // namespace
}  // namespace mmt::fuzz
