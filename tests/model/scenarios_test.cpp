// Every scenario holds in every execution that the memory model allows.
#include <gtest/gtest.h>

#include "scenarios/expect_holds.h"
#include "scenarios/suite.h"

namespace mmt::model {
namespace {

class Scenarios : public testing::TestWithParam<NamedScenario> {};

TEST_P(Scenarios, Hold) { expect_holds(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, Scenarios, testing::ValuesIn(kScenarios),
                         [](const auto& info) { return std::string(info.param.name); });

// Designs that are wrong whatever the orders: the checker finds them.

TEST(WrongDesigns, ReclaimingWithoutWinningTheZombie) {
  EXPECT_NE((explore<ThreadEnd<ModelSync, true>>().verdict), Result::Verdict::kHolds);
}

TEST(WrongDesigns, ForkWithoutTheDepotLock) {
  EXPECT_NE((explore<Fork<ModelSync, false, false>>().verdict), Result::Verdict::kHolds);
}

// Sleeps without looking once more.
struct NoSecondLook {
  static constexpr int kThreads = 2;
  ModelSync::Atomic<uint32_t> work;
  sync::Parker<ModelSync> parker;
  void thread(int index) {
    if (index == 0) {
      work.store(1, sync::kRelaxed);
      parker.wake_if_parked();
    } else if (work.load(sync::kRelaxed) == 0) {
      parker.begin_park();
      parker.commit_park();
    }
  }
  void finish() {}
};

TEST(WrongDesigns, SleepingWithoutASecondLook) {
  EXPECT_EQ(explore<NoSecondLook>().verdict, Result::Verdict::kStuck);
}

}  // namespace
}  // namespace mmt::model
