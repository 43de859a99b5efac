// Parker on the real futex: sleeping, waking, napping, and racing both.
#include <linux/membarrier.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <type_traits>

#include <gtest/gtest.h>

#include <mmt/sync/parker.h>

namespace mmt::sync {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

static_assert(std::is_standard_layout_v<Parker<>>);
static_assert(sizeof(Parker<>) == 4);

TEST(Parker, AwakeServersAreLeftAlone) {
  Parker<> parker;
  EXPECT_EQ(parker.state(), Parker<>::kAwake);
  EXPECT_FALSE(parker.wake_if_parked());
  EXPECT_FALSE(parker.wake());
}

TEST(Parker, OneWakerWins) {
  Parker<> parker;
  parker.begin_park();
  EXPECT_EQ(parker.state(), Parker<>::kParked);
  EXPECT_TRUE(parker.wake_if_parked());
  EXPECT_FALSE(parker.wake_if_parked());
  parker.commit_park();  // was woken before it slept: returns
  EXPECT_EQ(parker.state(), Parker<>::kAwake);
}

TEST(Parker, CancellingEndsIt) {
  Parker<> parker;
  parker.begin_park();
  parker.cancel_park();
  EXPECT_FALSE(parker.wake_if_parked());
}

TEST(Parker, SleepsForTheGivenTime) {
  Parker<> parker;
  const auto start = Clock::now();
  parker.begin_park();
  parker.commit_park(20'000'000);
  EXPECT_GE(Clock::now() - start, 19ms);
  EXPECT_EQ(parker.state(), Parker<>::kAwake);
  const auto middle = Clock::now();
  parker.nap(20'000'000);
  EXPECT_GE(Clock::now() - middle, 19ms);
  EXPECT_EQ(parker.state(), Parker<>::kAwake);
}

TEST(Parker, WakingKeepsErrno) {
  Parker<> parker;
  parker.begin_park();
  errno = 77;
  EXPECT_TRUE(parker.wake());
  parker.commit_park(1);
  EXPECT_EQ(errno, 77);
}

void wait_for(const Parker<>& parker, Parker<>::State state) {
  while (parker.state() != state) std::this_thread::yield();
}

TEST(Parker, OnlyWakeCutsANapShort) {
  Parker<> parker;
  std::thread server([&] { parker.nap(60'000'000'000); });
  wait_for(parker, Parker<>::kNapping);
  EXPECT_FALSE(parker.wake_if_parked());
  EXPECT_TRUE(parker.wake());
  server.join();
}

// Work and sleep in a race, many times. A lost wake-up would hang it.
TEST(Parker, NoWakeUpIsLost) {
  constexpr uint32_t kRounds = 20000;
  ASSERT_EQ(core::raw_syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED), 0);
  Parker<> parker;
  std::atomic<uint32_t> work{};
  std::atomic<uint32_t> done{};
  std::thread server([&] {
    for (uint32_t round = 1; round <= kRounds; ++round) {
      while (work.load(std::memory_order_relaxed) < round) {
        ASSERT_TRUE(parker.begin_park());
        if (work.load(std::memory_order_relaxed) < round) {
          parker.commit_park();
        } else {
          parker.cancel_park();
        }
      }
      done.store(round, std::memory_order_relaxed);
    }
  });
  for (uint32_t round = 1; round <= kRounds; ++round) {
    work.store(round, std::memory_order_relaxed);
    parker.wake_if_parked();
    while (done.load(std::memory_order_relaxed) < round) std::this_thread::yield();
  }
  server.join();
}

}  // namespace
}  // namespace mmt::sync
