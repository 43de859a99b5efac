// How long a thread stays away.
#include "heap/object/absence.h"

#include <gtest/gtest.h>

#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kMs;

constexpr uint64_t kStart = 5'000'000 * kMs;

TEST(Absence, BeginsWithTheThirdEndInARow) {
  Absence absence;
  EXPECT_FALSE(absence.holds(0));
  absence.note_end(kStart, 10);
  absence.note_end(kStart + kMs, 20);
  EXPECT_FALSE(absence.holds(20));
  EXPECT_FALSE(absence.holds_at(kStart + kMs));
  absence.note_end(kStart + 2 * kMs, 30);
  EXPECT_TRUE(absence.holds(30));
  EXPECT_TRUE(absence.holds(29 + Absence::kVolume));
  EXPECT_FALSE(absence.holds(30 + Absence::kVolume));
}

TEST(Absence, IsNotForSeldomChanges) {
  Absence absence;
  for (uint64_t i = 0; i < 20; ++i) absence.note_end(kStart + i * Absence::kSoonNs, 0);
  EXPECT_FALSE(absence.holds(0));
  EXPECT_FALSE(absence.holds_at(kStart + 20 * Absence::kSoonNs));
}

TEST(Absence, GrowsWithEachEndAndIsOverAfterAMinute) {
  Absence absence;
  uint64_t now = kStart;
  for (uint32_t i = 0; i < Absence::kTooMany + 1; ++i) absence.note_end(now += kMs, 0);
  EXPECT_TRUE(absence.holds(2 * Absence::kVolume - 1));
  EXPECT_FALSE(absence.holds(2 * Absence::kVolume));
  EXPECT_TRUE(absence.holds_at(now + Absence::kLongNs - 1));
  EXPECT_FALSE(absence.holds_at(now + Absence::kLongNs));
  for (uint32_t i = 0; i < 100; ++i) absence.note_end(now += kMs, 0);
  EXPECT_FALSE(absence.holds(Absence::kVolume << Absence::kMostDoublings));
  absence.note_end(now + Absence::kLongNs, 0);
  EXPECT_FALSE(absence.holds_at(now + Absence::kLongNs));
}

TEST(Absence, IsLongerWithAClockThatStandsStill) {
  Absence absence;
  for (uint32_t i = 0; i < Absence::kTooMany; ++i) absence.note_end(0, 0);
  EXPECT_TRUE(absence.holds(0));
}

TEST(Absence, IsForGoodWhereRightsDiffered) {
  Absence absence;
  EXPECT_FALSE(absence.is_for_good());
  absence.note_difference();
  for (uint32_t i = 0; i < Absence::kTooMany; ++i) absence.note_end(kStart, 0);
  EXPECT_TRUE(absence.is_for_good());
  EXPECT_TRUE(absence.holds(Absence::kVolume << 2 * Absence::kMostDoublings));
  absence.reset_in_child();
  EXPECT_FALSE(absence.holds(7));
}

}  // namespace
}  // namespace mmt::heap
