// Explores one scenario, prints how much there was to explore, and expects it to hold.
#pragma once

#include <chrono>
#include <cstdio>

#include <gtest/gtest.h>

#include "scenarios/suite.h"

namespace mmt::model {

inline void expect_holds(const NamedScenario& scenario, const Limits& limits = {}) {
  const auto start = std::chrono::steady_clock::now();
  const Result result = scenario.run(limits, {}, nullptr);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::printf("%-28s %10llu executions %10llu given up %12llu steps %7.2f s\n", scenario.name,
              static_cast<unsigned long long>(result.executions),
              static_cast<unsigned long long>(result.redundant),
              static_cast<unsigned long long>(result.steps), time.count());
  EXPECT_EQ(result.verdict, Result::Verdict::kHolds)
      << name_of(result.verdict) << ": " << result.message << "\n"
      << result.trace;
}

}  // namespace mmt::model
