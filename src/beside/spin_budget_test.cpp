// How long the growth thread may spin.
#include "beside/spin_budget.h"

#include <gtest/gtest.h>

#include "support/units.h"

namespace mmt::beside {
namespace {

using test::kMs;

TEST(SpinBudget, SpinningUsesItUp) {
  SpinBudget budget;
  EXPECT_TRUE(budget.is_left()) << "what there is to do has to be found out";
  budget.spun(100 * kMs);
  EXPECT_FALSE(budget.is_left());
}

TEST(SpinBudget, WorkFillsItSomeTimesOver) {
  SpinBudget budget;
  budget.spun(100 * kMs);
  budget.worked(kMs / 10);
  EXPECT_TRUE(budget.is_left());
  budget.spun(kMs / 10);
  EXPECT_TRUE(budget.is_left());
  budget.spun(kMs);
  EXPECT_FALSE(budget.is_left());
}

TEST(SpinBudget, MuchWorkIsNoReasonToSpinForLong) {
  SpinBudget budget;
  budget.worked(1000 * kMs);
  budget.spun(10 * kMs);
  EXPECT_FALSE(budget.is_left());
}

}  // namespace
}  // namespace mmt::beside
