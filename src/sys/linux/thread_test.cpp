// Threads below libc: they run, have their own thread-local block, and can be waited for.
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include <mmt/sys/clock.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

struct Shared {
  std::atomic<uint32_t> thread_id{0};
  std::atomic<uint64_t> blocked{0};
  std::atomic<bool> done{false};
};

// Uses nothing that needs a thread of libc's.
void body(void* argument) {
  auto* shared = static_cast<Shared*>(argument);
  shared->blocked.store(block_signals(), std::memory_order_relaxed);
  shared->thread_id.store(current_thread_id(), std::memory_order_release);
  while (!shared->done.load(std::memory_order_acquire)) sleep_ns(100000);
}

constexpr uint64_t kLong = 60'000'000'000;

TEST(RawThread, RunsWithSignalsBlocked) {
  static Shared shared;
  const uint64_t before = block_signals();
  restore_signals(before);
  static RawThread thread;
  EXPECT_EQ(thread.id(), 0u);
  ASSERT_EQ(thread.start(body, &shared), 0);
  const uint32_t id = thread.id();
  while (shared.thread_id.load(std::memory_order_acquire) == 0) sleep_ns(100000);
  EXPECT_EQ(shared.thread_id.load(), id);
  EXPECT_NE(shared.thread_id.load(), current_thread_id());
  constexpr uint64_t kTerminate = uint64_t{1} << (15 - 1);
  EXPECT_NE(shared.blocked.load() & kTerminate, 0u);
  const uint64_t after = block_signals();
  restore_signals(after);
  EXPECT_EQ(after, before) << "the caller's signals are as they were";
  EXPECT_FALSE(thread.wait_end(id, 1000000)) << "it has not been told to end";
  shared.done.store(true, std::memory_order_release);
  EXPECT_TRUE(thread.wait_end(id, kLong));
  EXPECT_EQ(thread.id(), 0u);
}

void count(void* argument) {
  int* runs = static_cast<int*>(argument);
  ++*runs;
}

TEST(RawThread, StartsAgainAndAgainInTheSamePlace) {
  static RawThread thread;
  static int runs;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(thread.start(count, &runs), 0);
    ASSERT_TRUE(thread.wait_end(thread.id(), kLong));
    ASSERT_EQ(thread.id(), 0u);
    ASSERT_EQ(runs, i + 1);
  }
}

cpu_set_t allowed() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  return cpus;
}

TEST(Cpus, AThreadLeavesTheOneItIsOn) {
  const cpu_set_t usable = allowed();
  if (CPU_COUNT(&usable) < 2) GTEST_SKIP() << "one CPU";
  std::thread([] {
    const cpu_set_t before = allowed();
    bool has_left = false;
    // The kernel may move the thread between the two calls.
    for (int i = 0; i < 1000 && !has_left; ++i) {
      has_left = leave_cpu(static_cast<unsigned>(sched_getcpu()));
    }
    const bool is_confined = raw_syscall(SYS_prctl, PR_GET_SECCOMP) > 0;
    EXPECT_EQ(has_left, !is_confined);
    const cpu_set_t after = allowed();
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
  }).join();
}

TEST(Cpus, AThreadThatMayNotRunElsewhereStays) {
  std::thread([] {
    const auto here = static_cast<unsigned>(sched_getcpu());
    ASSERT_TRUE(bind_to_cpu(here));
    EXPECT_FALSE(leave_cpu(here));
    EXPECT_FALSE(leave_cpu(here + 1)) << "it is not there";
    EXPECT_FALSE(leave_cpu(1u << 20)) << "nobody is there";
    const cpu_set_t after = allowed();
    EXPECT_EQ(CPU_COUNT(&after), 1);
    EXPECT_TRUE(CPU_ISSET(here, &after));
  }).join();
}

TEST(Barrier, NeedsPreparation) {
  ASSERT_TRUE(prepare_barrier());
  EXPECT_EQ(raw_syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED), 0);
  EXPECT_TRUE(prepare_barrier()) << "twice does no harm";
}

TEST(Clock, CountsCpuTimeOfAnyThread) {
  const uint64_t start = thread_cpu_ns();
  while (thread_cpu_ns() < start + 5000000) {
  }
  EXPECT_GE(thread_cpu_ns(current_thread_id()), start + 5000000);
  constexpr uint32_t kNoThread = uint32_t{1} << 22;  // above every id that the kernel gives
  EXPECT_EQ(thread_cpu_ns(kNoThread), 0u);
}

// Two threads that want one CPU take it from each other.
TEST(Clock, CountsPreemptions) {
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
    std::atomic<bool> done{false};
    std::thread busy([&done] {  // inherits the CPU
      while (!done.load(std::memory_order_relaxed)) {
      }
    });
    const uint64_t before = thread_preemptions();
    const uint64_t end = monotonic_ns() + kLong;
    while (thread_preemptions() < before + 3 && monotonic_ns() < end) {
    }
    EXPECT_GE(thread_preemptions(), before + 3);
    done.store(true, std::memory_order_relaxed);
    busy.join();
  }).join();
}

}  // namespace
}  // namespace mmt::sys
