// Ticks tell since when at most.
#include "harden/times.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace mmt::harden {
namespace {

TEST(Times, ATickBeginsNoLaterThanItsTime) {
  for (uint64_t ms = 0; ms < 200000; ++ms) {
    const uint64_t begin = begin_of(tick_at(ms));
    ASSERT_LE(begin, ms);
    ASSERT_LE(ms - begin, ms / 8) << ms;
  }
}

TEST(Times, TicksAscend) {
  for (uint64_t ms = 1; ms < 200000; ++ms) ASSERT_LE(tick_at(ms - 1), tick_at(ms)) << ms;
  for (unsigned tick = 1; tick < 256; ++tick) {
    ASSERT_LT(begin_of(static_cast<Tick>(tick - 1)), begin_of(static_cast<Tick>(tick)));
    ASSERT_EQ(tick_at(begin_of(static_cast<Tick>(tick))), tick);
  }
}

TEST(Times, TheLastTickIsHalfAYearAway) {
  EXPECT_GT(begin_of(255), uint64_t{180} * 24 * 3600 * 1000);
  EXPECT_EQ(tick_at(UINT64_MAX), 255);
}

}  // namespace
}  // namespace mmt::harden
