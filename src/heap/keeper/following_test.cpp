// The memory thread goes along with the program's threads, asked of the kernel.
#include "heap/keeper/following.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include <mmt/sys/cpus.h>
#include <mmt/sys/thread.h>

#include "heap/object/server_orders.h"
#include "support/fresh_heap.h"

namespace mmt::heap {
namespace {

// In the memory thread's stead.
class FollowingTest : public testing::Test {
 protected:
  template <class Act>
  void as_memory_thread(Act act) {
    std::thread([&] { act(sys::current_thread_id()); }).join();
  }

  test::FreshHeap heap;
};

TEST_F(FollowingTest, AsManyCpusAsTheProgramHas) {
  as_memory_thread([this](uint32_t self) {
    const Following found = follow_program(heap, self, nullptr);
    EXPECT_EQ(found.cpus, sys::affinity_cpus());
    EXPECT_TRUE(found.is_possible);
    EXPECT_FALSE(found.is_weaker);
  });
}

TEST_F(FollowingTest, GoesWithTheMainThreadToItsCpu) {
  if (sys::affinity_cpus() < 2) GTEST_SKIP() << "one CPU";
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  as_memory_thread([&](uint32_t self) {
    ::sched_setaffinity(0, sizeof before, &before);
    heap.options.cpu = -1;  // wherever it may
    EXPECT_EQ(follow_program(heap, self, nullptr).cpus, 1u);
    cpu_set_t now;
    EXPECT_EQ(::sched_getaffinity(0, sizeof now, &now), 0);
    EXPECT_TRUE(CPU_EQUAL(&now, &one));
  });
  ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
}

TEST_F(FollowingTest, IsNoStrongerThanTheWeakestThread) {
  as_memory_thread([this](uint32_t self) {
    sys::Scheduling weak;
    ASSERT_TRUE(weak.read(self));
    weak.niceness += 3;
    const Following found = follow_program(heap, self, &weak);
    EXPECT_TRUE(found.is_weaker);
    sys::Scheduling now;
    ASSERT_TRUE(now.read(self));
    EXPECT_EQ(now.niceness, weak.niceness);
  });
}

TEST_F(FollowingTest, LimitOfCpuTimeForbidsItUnlessAskedFor) {
  EXPECT_FALSE(limits_forbid(heap));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_CPU, &before), 0);
  const rlimit limited{3600, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_CPU, &limited), 0);
  EXPECT_TRUE(limits_forbid(heap));
  heap.options.server = Switch::kOn;
  EXPECT_FALSE(limits_forbid(heap));
  ASSERT_EQ(::setrlimit(RLIMIT_CPU, &before), 0);
}

TEST_F(FollowingTest, LooksWhenItIsDueOrAskedTo) {
  as_memory_thread([this](uint32_t self) {
    Follower follower(heap);
    follower.open({Duty::kServe, false}, self, true);
    constexpr uint64_t kSecond = 1'000'000'000;
    EXPECT_TRUE(follower.look(kSecond));
    EXPECT_FALSE(follower.look(kSecond + 1));
    ask_server_to_look(heap);
    EXPECT_TRUE(follower.look(kSecond + 2));
    EXPECT_TRUE(follower.look(2 * kSecond));
    follower.look_soon();
    EXPECT_TRUE(follower.look(2 * kSecond + 1));
    EXPECT_EQ(follower.duty(), sys::affinity_cpus() < 2 ? Duty::kKeepHouse : Duty::kServe);
    EXPECT_FALSE(follower.is_dismissed());
    EXPECT_FALSE(follower.may_open_files()) << "under a filter";
  });
}

TEST_F(FollowingTest, KeepsHouseAtMostWhereItWasToldSo) {
  as_memory_thread([this](uint32_t self) {
    Follower follower(heap);
    follower.open({Duty::kKeepHouse, false}, self, true);
    follower.look(1);
    EXPECT_EQ(follower.duty(), Duty::kKeepHouse);
    EXPECT_LT(follower.longest_sleep(-1), 0) << "no limit is near";
    EXPECT_EQ(follower.longest_sleep(5), 5);
  });
}

TEST_F(FollowingTest, IsDismissedByALimitAndPostponed) {
  heap.spans_fetched = 1000;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_CPU, &before), 0);
  const rlimit limited{3600, before.rlim_max};
  as_memory_thread([&](uint32_t self) {
    Follower follower(heap);
    follower.open({Duty::kServe, false}, self, true);
    EXPECT_EQ(::setrlimit(RLIMIT_CPU, &limited), 0);
    follower.look(1);
    EXPECT_TRUE(follower.is_dismissed());
  });
  ASSERT_EQ(::setrlimit(RLIMIT_CPU, &before), 0);
  EXPECT_GT(heap.keeper.postponed_to, 1000u);
}

}  // namespace
}  // namespace mmt::heap
