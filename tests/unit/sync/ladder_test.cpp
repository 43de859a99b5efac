// The ladder's decisions over a made-up clock.
#include <gtest/gtest.h>

#include <mmt/sync/ladder.h>

namespace mmt::sync {
namespace {

constexpr LadderLimits kLimits{
    .spin_ns = 100, .first_nap_ns = 50, .max_nap_ns = 150, .park_after_ns = 1000};

using Step = Ladder::Step;

TEST(Ladder, WithoutLimitsItParks) {
  Ladder ladder;
  EXPECT_EQ(ladder.idle(0), Step::kPark);
}

TEST(Ladder, SpinsThenNapsLongerThenParks) {
  Ladder ladder;
  ladder.set_limits(kLimits);
  ladder.worked(5000);
  EXPECT_EQ(ladder.idle(5000), Step::kSpin);
  EXPECT_EQ(ladder.idle(5099), Step::kSpin);
  EXPECT_EQ(ladder.idle(5100), Step::kNap);
  EXPECT_EQ(ladder.nap_ns(), 50);
  EXPECT_EQ(ladder.idle(5200), Step::kNap);
  EXPECT_EQ(ladder.nap_ns(), 100);
  EXPECT_EQ(ladder.idle(5300), Step::kNap);
  EXPECT_EQ(ladder.nap_ns(), 150);
  EXPECT_EQ(ladder.idle(5999), Step::kNap);
  EXPECT_EQ(ladder.nap_ns(), 150);
  EXPECT_EQ(ladder.idle(6000), Step::kPark);
  EXPECT_EQ(ladder.idle(9999), Step::kPark);
}

TEST(Ladder, WorkStartsItAgain) {
  Ladder ladder;
  ladder.set_limits(kLimits);
  EXPECT_EQ(ladder.idle(500), Step::kNap);
  EXPECT_EQ(ladder.idle(600), Step::kNap);
  ladder.worked(700);
  EXPECT_EQ(ladder.idle(799), Step::kSpin);
  EXPECT_EQ(ladder.idle(800), Step::kNap);
  EXPECT_EQ(ladder.nap_ns(), 50) << "naps are short again";
}

}  // namespace
}  // namespace mmt::sync
