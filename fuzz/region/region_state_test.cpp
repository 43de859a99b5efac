// Random operations on regions. Two threads race: what fails need not fail again, so that it cannot
// be shrunk.
#include "region/region_state.h"

#include <exception>

#include <gtest/gtest.h>

#include "driver/driver.h"

namespace mmt::fuzz {
namespace {

constexpr uint64_t kRuns = 30;
constexpr size_t kMostOps = 60;

TEST(RegionState, HoldsUnderTwoThreads) {
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    std::vector<RegionState::Op> ops;
    try {
      run_one<RegionState>(seed, kMostOps, &ops);
    } catch (const std::exception& failure) {
      FAIL() << "seed " << seed << ", operation " << ops.size() << ": " << failure.what();
    }
  }
}

}  // namespace
}  // namespace mmt::fuzz
