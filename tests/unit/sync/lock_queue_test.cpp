// LockQueue on the real futex: whoever sleeps is woken, and never by the end of the sleep.
#include <linux/futex.h>
#include <sys/syscall.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sync/lock_queue.h>
#include <mmt/sync/try_lock.h>

namespace mmt::sync {
namespace {

// Real, and counts the sleeps and those that ended by their limit.
struct CountingSync : RealSync {
  static inline std::atomic<uint32_t> sleeps{0};
  static inline std::atomic<uint32_t> overslept{0};

  static void futex_wait(std::atomic<uint32_t>& word, uint32_t expected, int64_t limit_ns) {
    const timespec limit{limit_ns / 1'000'000'000, limit_ns % 1'000'000'000};
    const long result =
        core::raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE,
                          static_cast<long>(expected), reinterpret_cast<long>(&limit));
    if (result == 0) sleeps.fetch_add(1, kRelaxed);
    if (result == -ETIMEDOUT) overslept.fetch_add(1, kRelaxed);
  }
};

// Far longer than any holder is away: a thread that sleeps for so long was forgotten.
constexpr QueuePatience kLongSleep{0, 0, 4, 5'000'000'000};

TEST(LockQueue, NobodyIsForgotten) {
  constexpr uint32_t kThreads = 64;
  constexpr int kRounds = 60;
  constexpr int kTurns = 20;
  TryLock<CountingSync> lock;
  LockQueue<CountingSync> queue;
  std::barrier together(kThreads);
  uint64_t entered = 0;
  const auto take_turns = [&](uint32_t self) {
    for (int turn = 0; turn < kTurns; ++turn) {
      ASSERT_TRUE(queue.lock(lock, self, kLongSleep));
      if (++entered % 16 == 0) std::this_thread::yield();  // so that others find it held
      lock.unlock(self);
      queue.unlocked();
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t self = 1; self <= kThreads; ++self) {
    threads.emplace_back([&, self] {
      // At the end of a round no thread comes by that would wake those that were forgotten.
      for (int round = 0; round < kRounds; ++round, together.arrive_and_wait())
        if (CountingSync::overslept.load(kRelaxed) == 0) take_turns(self);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(CountingSync::overslept.load(), 0U);
  EXPECT_GT(CountingSync::sleeps.load(), kThreads) << "nobody had to wait";
  EXPECT_EQ(entered, uint64_t{kThreads} * kRounds * kTurns);
}

TEST(LockQueue, GivesUpOnAHolderThatDoesNotComeBack) {
  TryLock<> lock;
  LockQueue<> queue;
  ASSERT_TRUE(queue.lock(lock, 1));
  EXPECT_FALSE(queue.lock(lock, 1)) << "its own";
  EXPECT_FALSE(queue.lock(lock, 2, {0, 0, 3, 1000}));
  lock.unlock(1);
  queue.unlocked();
  EXPECT_TRUE(queue.lock(lock, 2));
}

}  // namespace
}  // namespace mmt::sync
