// Crowding with clocks of the test's own.
#include "heap/keeper/crowding.h"

#include <gtest/gtest.h>

#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kMs;

// How long it stands back, in steps of a millisecond.
uint64_t rest_from(const Crowding& crowding, uint64_t now) {
  uint64_t rest = 0;
  while (crowding.stands_back(now + rest)) rest += kMs;
  return rest;
}

TEST(CrowdingTest, AloneOnACpuItStays) {
  Crowding crowding;
  crowding.worked(1000 * kMs, kMs, kMs);
  crowding.worked(1001 * kMs, kMs, kMs * 9 / 10);
  EXPECT_FALSE(crowding.stands_back(1001 * kMs));
}

TEST(CrowdingTest, ShortWorkTellsNothing) {
  Crowding crowding;
  crowding.worked(1000 * kMs, kMs / 20, 0);
  EXPECT_FALSE(crowding.stands_back(1000 * kMs));
}

TEST(CrowdingTest, StandsBackWhereMoreThreadsWantACpuThanThereAre) {
  Crowding crowding;
  EXPECT_TRUE(crowding.is_look_due(1000 * kMs));
  crowding.looked(1000 * kMs, 2, 2);
  EXPECT_FALSE(crowding.stands_back(1000 * kMs));
  EXPECT_FALSE(crowding.is_look_due(1019 * kMs));
  EXPECT_TRUE(crowding.is_look_due(1020 * kMs));
  crowding.looked(1020 * kMs, 3, 2);
  EXPECT_EQ(rest_from(crowding, 1020 * kMs), 40 * kMs);
}

TEST(CrowdingTest, StandsBackLongerEachTime) {
  Crowding crowding;
  uint64_t now = 1000 * kMs;
  uint64_t last = 0;
  for (int i = 0; i < 10; ++i) {
    crowding.worked(now, kMs, kMs / 2);
    const uint64_t rest = rest_from(crowding, now);
    EXPECT_TRUE(i == 0 ? rest == 40 * kMs : rest == 2 * last || rest == last) << rest;
    EXPECT_LE(rest, 1280 * kMs);
    last = rest;
    now += rest + kMs;
  }
  EXPECT_EQ(last, 1280 * kMs);
}

TEST(CrowdingTest, ForgetsWhatWasLongAgo) {
  Crowding crowding;
  crowding.worked(1000 * kMs, kMs, kMs / 2);
  crowding.worked(1041 * kMs, kMs, kMs / 2);
  EXPECT_EQ(rest_from(crowding, 1041 * kMs), 80 * kMs);
  crowding.worked(2000 * kMs, kMs, kMs / 2);
  EXPECT_EQ(rest_from(crowding, 2000 * kMs), 40 * kMs);
}

}  // namespace
}  // namespace mmt::heap
