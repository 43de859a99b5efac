// A policy that breaks is found, and the trace that breaks it is made small.
#include "sim/check/checker.h"

#include <string>

#include <gtest/gtest.h>

#include "sim/check/shrinker.h"
#include "sim/check/violation.h"
#include "sim/replay/toy_for_tests.h"
#include "sim/replay/traces_for_tests.h"

namespace mmt::sim {
namespace {

// Empty: all is well.
std::string fault_of(const std::vector<Event>& events, Fault fault) {
  const auto model = toy(fault);
  const auto found = violation_of(*model, events);
  return found ? found->what : "";
}

TEST(Checker, APolicyThatIsRightPasses) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(fault_of(some_trace(1000, seed), Fault::kNone), "");
  }
}

TEST(Checker, MemoryGivenOutTwiceIsFound) {
  EXPECT_NE(fault_of(some_trace(1000, 1), Fault::kOverlap), "");
}

TEST(Shrinker, WhatBreaksIsMadeSmall) {
  const Events small = shrunk_violation(some_trace(1000, 3), [] { return toy(Fault::kOverlap); });
  EXPECT_NE(fault_of(small, Fault::kOverlap), "");
  // Three splits are needed before the policy breaks.
  EXPECT_LE(small.size(), 4U);
  for (const Event& one : small) EXPECT_EQ(one.bytes, 1U);
}

TEST(Shrinker, RepText) {
  TraceText trace;
  trace.born(100).born(50).resized(1, 10).died(2);
  EXPECT_EQ(as_rep(trace.events()), "150\n2\n4\n1\na 0 100\na 1 50\nr 0 10\nf 1\n");
}

TEST(Shrinker, ObjectsAreNumberedAnew) {
  TraceText trace;
  trace.born(1).born(2).died(1).died(2).died(9);
  Events events = trace.events();
  events.erase(events.begin());
  const Events out = renumbered(events);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].object, 1U);
  EXPECT_EQ(out[1].object, 1U);
}

}  // namespace
}  // namespace mmt::sim
