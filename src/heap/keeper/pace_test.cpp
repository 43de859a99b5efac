// The pace of sleeps with a clock of the test's own.
#include "heap/keeper/pace.h"

#include <gtest/gtest.h>

#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kMs;

// Sleeps as it says, or less where a client wakes it whenever that is allowed.
int wake_ups_in_a_second(bool has_impatient_client, uint64_t clients_patience_ns) {
  Pace pace;
  uint64_t now = 1000 * kMs;
  const uint64_t end = now + 10000 * kMs;
  int count = 0;
  for (pace.woke(now); now < end; ++count) {
    const bool is_woken = has_impatient_client && pace.may_be_woken();
    now += is_woken ? clients_patience_ns : static_cast<uint64_t>(Pace::kNapNs);
    pace.woke(now);
  }
  return count / 10;
}

TEST(PaceTest, AtMostTwoHundredWakeUpsASecond) {
  EXPECT_LE(wake_ups_in_a_second(false, 0), 200);
  for (const uint64_t patience : {kMs / 100, kMs, 4 * kMs})
    EXPECT_LE(wake_ups_in_a_second(true, patience), 211)
        << patience << ": those left over come once";
}

TEST(PaceTest, LongSleepAllowsForSomeShortOnes) {
  Pace pace;
  uint64_t now = 1000 * kMs;
  pace.woke(now);
  int short_ones = 0;
  for (now += 10000 * kMs, pace.woke(now); pace.may_be_woken(); ++short_ones) pace.woke(now += kMs);
  EXPECT_GE(short_ones, 75);
  EXPECT_LE(short_ones, 150);
}

TEST(PaceTest, IdleAfterTwentyMillisecondsWithoutWork) {
  Pace pace;
  pace.worked(1000 * kMs);
  EXPECT_FALSE(pace.is_idle(1019 * kMs));
  EXPECT_TRUE(pace.is_idle(1020 * kMs));
  pace.worked(1021 * kMs);
  EXPECT_FALSE(pace.is_idle(1040 * kMs));
}

}  // namespace
}  // namespace mmt::heap
