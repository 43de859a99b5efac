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

// The last look at free memory without the lock overlooks what its holder is just collecting.
TEST(WrongDesigns, SleepingWhileAnotherCollects) {
  EXPECT_EQ((explore<ReturnedToSleeper<ModelSync, false>>().verdict), Result::Verdict::kStuck);
}

// The flag of returned_bits.h is raised by plain stores. Each store hides the one before it, and a
// holder that finds the last is not ordered after the others.
struct FlagByStores {
  static constexpr int kThreads = 3;
  ModelSync::Atomic<uint64_t> marks[2];
  ModelSync::Atomic<uint32_t> pending;

  void thread(int index) {
    if (index == 2) return collect();
    marks[index].fetch_or(1, std::memory_order_release);
    pending.store(1, std::memory_order_release);
  }
  void collect() {
    if (pending.exchange(0, std::memory_order_acquire) == 0) return;
    for (auto& word : marks)
      if (word.load(sync::kRelaxed) != 0) word.exchange(0, std::memory_order_acquire);
  }
  void finish() {
    collect();
    for (auto& word : marks)
      ModelSync::require(word.load(sync::kRelaxed) == 0, "no mark is overlooked");
  }
};

TEST(WrongDesigns, AFlagRaisedByStores) {
  EXPECT_EQ(explore<FlagByStores>().verdict, Result::Verdict::kRequirement);
}

}  // namespace
}  // namespace mmt::model
