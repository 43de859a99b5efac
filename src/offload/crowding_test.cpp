// Crowding with clocks of the test's own.
#include "offload/crowding.h"

#include <gtest/gtest.h>

namespace mmt::offload {
namespace {

constexpr uint64_t kMs = 1000000;

struct Thread {
  Crowding crowding;
  uint64_t now = 1000 * kMs;
  Crowding::Load load{5 * kMs, 3, 1};
  bool preempted = true;  // by other threads, where it runs less than it could

  // Lets `ms` pass, of which the thread runs `percent`; true when it was told to stand back.
  bool runs(uint64_t ms, uint64_t percent) {
    bool crowded = false;
    for (uint64_t i = 0; i < ms * 10; ++i) {
      now += kMs / 10;
      load.cpu_ns += kMs / 1000 * percent;
      load.preemptions += preempted && percent < 100;
      crowded |= crowding.crowded(now, [this] { return load; });
    }
    return crowded;
  }
};

TEST(CrowdingTest, AloneOnACpuItStays) {
  Thread thread;
  EXPECT_FALSE(thread.runs(1000, 100));
  EXPECT_FALSE(thread.runs(1000, 90));
}

TEST(CrowdingTest, StandsBackWhenItGetsTooLittle) {
  Thread thread;
  EXPECT_FALSE(thread.runs(8, 60));
  EXPECT_TRUE(thread.runs(5, 60));
  EXPECT_EQ(thread.crowding.rest_ns(), 40 * kMs);
}

// Nobody in this system has what the host takes.
TEST(CrowdingTest, StaysWhenTheHostTakesTheCpu) {
  Thread thread;
  thread.preempted = false;
  EXPECT_FALSE(thread.runs(1000, 20));
  thread.preempted = true;
  EXPECT_TRUE(thread.runs(13, 20));
}

// Cleaning up after an idle program it takes nothing away, however little of a CPU it gets.
TEST(CrowdingTest, StaysWhileNoThreadAllocates) {
  Thread thread;
  thread.load.active_threads = 0;
  EXPECT_FALSE(thread.runs(1000, 20));
  thread.load.active_threads = 1;
  EXPECT_TRUE(thread.runs(13, 20));
}

TEST(CrowdingTest, RestsLongerWhileItStaysCrowded) {
  Thread thread;
  uint64_t longest = 0;
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(thread.runs(13, 60));
    EXPECT_GE(thread.crowding.rest_ns(), longest);
    longest = thread.crowding.rest_ns();
    thread.now += longest;
    thread.crowding.returned(thread.now);
  }
  EXPECT_EQ(longest, 640 * kMs);
}

TEST(CrowdingTest, ForgetsAfterAQuietTime) {
  Thread thread;
  EXPECT_TRUE(thread.runs(13, 60));
  thread.crowding.returned(thread.now);
  EXPECT_FALSE(thread.runs(100, 100));
  EXPECT_TRUE(thread.runs(13, 60));
  EXPECT_EQ(thread.crowding.rest_ns(), 40 * kMs);
}

TEST(CrowdingTest, SleepIsNotCrowding) {
  Thread thread;
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(thread.runs(1, 100));
    thread.now += 10 * kMs;
    thread.crowding.restart();
  }
}

// Whether to spin is known after one look, also where every nap starts the windows anew.
TEST(CrowdingTest, HouseIsFullWhenAsManyThreadsAllocateAsThereAreCpus) {
  Thread thread;
  thread.runs(1, 10);
  EXPECT_FALSE(thread.crowding.full_house());
  thread.load.active_threads = 2;
  thread.crowding.restart();
  thread.runs(1, 10);
  EXPECT_TRUE(thread.crowding.full_house());
  thread.load.active_threads = 1;
  thread.crowding.restart();
  thread.runs(1, 10);
  EXPECT_FALSE(thread.crowding.full_house());
}

}  // namespace
}  // namespace mmt::offload
