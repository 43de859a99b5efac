// Small programs for the checker: their atomics, and the outcomes that exploring one gives.
#pragma once

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "checker/model_sync.h"

namespace mmt::model {

inline constexpr auto kRlx = std::memory_order_relaxed;
inline constexpr auto kAcq = std::memory_order_acquire;
inline constexpr auto kRel = std::memory_order_release;
inline constexpr auto kAcqRel = std::memory_order_acq_rel;
inline constexpr auto kSc = std::memory_order_seq_cst;

using Order = std::memory_order;
using Outcomes = std::set<std::string>;
inline Outcomes g_outcomes;

inline void fence(Order order) { Explorer::current()->fence(order); }

// Two or three atomics and up to four registers; finish() notes the registers.
struct Litmus {
  ModelAtomic<uint32_t> x, y, z;
  uint32_t r[4] = {9, 9, 9, 9};

  void finish() {
    std::string text;
    for (uint32_t value : r) {
      if (value != 9) text += static_cast<char>('0' + value);
    }
    g_outcomes.insert(text);
  }
};

template <class Scenario>
Outcomes outcomes(uint64_t executions = 0) {
  g_outcomes.clear();
  const Result result = explore<Scenario>();
  EXPECT_EQ(result.verdict, Result::Verdict::kHolds) << result.message << "\n" << result.trace;
  if (executions != 0) {
    EXPECT_EQ(result.executions, executions) << "not one for each graph";
  }
  return g_outcomes;
}

}  // namespace mmt::model
