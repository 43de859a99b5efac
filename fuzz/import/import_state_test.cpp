// Random operations on texts of other tools. A run takes as long as it reads, so they are few.
#include "import/import_state.h"

#include <exception>

#include <gtest/gtest.h>

#include "driver/driver.h"

namespace mmt::fuzz {
namespace {

constexpr uint64_t kRuns = 150;
constexpr size_t kMostOps = 40;

TEST(ImportState, ReadsWithinItsBound) {
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    std::vector<ImportState::Op> ops;
    try {
      run_one<ImportState>(seed, kMostOps, &ops);
    } catch (const std::exception& failure) {
      FAIL() << "seed " << seed << ", operation " << ops.size() << ": " << failure.what();
    }
  }
}

}  // namespace
}  // namespace mmt::fuzz
