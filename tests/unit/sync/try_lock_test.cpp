// TryLock on the real futex: owners, sleepers, exclusion under load, fork.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sync/try_lock.h>

namespace mmt::sync {
namespace {

static_assert(std::is_standard_layout_v<TryLock<>>);
static_assert(sizeof(TryLock<>) == 4);

TEST(TryLock, HasOneOwner) {
  TryLock<> lock;
  EXPECT_EQ(lock.owner(), 0U);
  ASSERT_TRUE(lock.try_lock(5));
  EXPECT_EQ(lock.owner(), 5U);
  EXPECT_TRUE(lock.held_by(5));
  EXPECT_FALSE(lock.held_by(6));
  EXPECT_FALSE(lock.try_lock(6));
  EXPECT_FALSE(lock.try_lock(6, 10));
  lock.unlock(5);
  EXPECT_EQ(lock.owner(), 0U);
  EXPECT_TRUE(lock.try_lock(6));
  lock.unlock(6);
}

TEST(TryLock, AnOwnerThatComesAgainIsTold) {
  TryLock<> lock;
  ASSERT_TRUE(lock.lock(5));
  EXPECT_FALSE(lock.try_lock(5, 1000000000)) << "at once, without spinning";
  EXPECT_FALSE(lock.lock(5));
  EXPECT_TRUE(lock.held_by(5)) << "still held";
  lock.unlock(5);
}

TEST(TryLock, SleepersAreWoken) {
  TryLock<> lock;
  ASSERT_TRUE(lock.lock(1));
  std::vector<std::thread> waiters;
  int entered = 0;
  for (uint32_t id = 2; id < 6; ++id) {
    waiters.emplace_back([&, id] {
      ASSERT_TRUE(lock.lock(id, 0));
      ++entered;
      lock.unlock(id);
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(lock.owner(), 1U) << "the owner is known while others wait";
  errno = 77;
  lock.unlock(1);
  EXPECT_EQ(errno, 77);
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(entered, 4);
}

TEST(TryLock, WaitsNoLongerThanItIsTold) {
  TryLock<> lock;
  ASSERT_TRUE(lock.lock_within(1, 0, 0)) << "free";
  EXPECT_FALSE(lock.lock_within(1, 1000000, 1000000000)) << "at once: it is the caller's";
  EXPECT_FALSE(lock.lock_within(2, 2, 1000));
  EXPECT_EQ(lock.owner(), 1U);
  lock.unlock(1);
  EXPECT_TRUE(lock.lock_within(2, 2, 1000));
  lock.unlock(2);
}

// Those who give up may have been woken in the place of those who do not.
TEST(TryLock, WhoGivesUpLeavesNobodyAsleep) {
  TryLock<> lock;
  std::vector<std::thread> threads;
  for (uint32_t id = 1; id <= 4; ++id) {
    threads.emplace_back([&, id] {
      for (int round = 0; round < 5000; ++round) {
        const bool held = id % 2 == 0 ? lock.lock(id, 0) : lock.lock_within(id, 1, 1000);
        if (held) lock.unlock(id);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lock.owner(), 0U);
}

TEST(TryLock, ExcludesUnderLoad) {
  TryLock<> lock;
  uint64_t counter = 0;
  uint64_t expected = 0;
  std::atomic<uint64_t> taken{};
  std::vector<std::thread> threads;
  for (uint32_t id = 1; id <= 4; ++id) {
    threads.emplace_back([&, id] {
      uint64_t mine = 0;
      for (int round = 0; round < 20000; ++round) {
        const bool held = id % 2 == 0 ? lock.lock(id) : lock.try_lock(id, 20);
        if (!held) continue;
        ++counter;
        ++mine;
        lock.unlock(id);
      }
      taken.fetch_add(mine);
    });
  }
  for (std::thread& thread : threads) thread.join();
  expected = taken.load();
  EXPECT_EQ(counter, expected);
  EXPECT_GE(counter, 40000U);
}

// As fork's handlers use it, with another thread that wants the lock.
TEST(TryLock, SurvivesFork) {
  TryLock<> lock;
  std::atomic<bool> stop{};
  std::thread other([&] {
    while (!stop.load()) {
      if (!lock.lock(2)) continue;
      lock.unlock(2);
    }
  });
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(lock.lock(1));
    const pid_t child = fork();
    if (child == 0) {
      lock.reset_in_child();
      const bool works = lock.owner() == 0 && lock.lock(3) && lock.held_by(3);
      lock.unlock(3);
      _exit(works ? 0 : 1);
    }
    lock.unlock(1);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop.store(true);
  other.join();
}

}  // namespace
}  // namespace mmt::sync
