#include <atomic>

#include <gtest/gtest.h>

#include <mmt/sys/clock.h>
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
  shared->thread_id.store(0, std::memory_order_release);
  for (;;) sleep_ns(1000000000);
}

TEST(RawThread, RunsWithSignalsBlocked) {
  static Shared shared;
  const uint64_t before = block_signals();
  restore_signals(before);
  const long id = start_raw_thread(body, &shared);
  ASSERT_GT(id, 0);
  while (shared.thread_id.load(std::memory_order_acquire) == 0) sleep_ns(100000);
  EXPECT_EQ(shared.thread_id.load(), static_cast<uint32_t>(id));
  EXPECT_NE(shared.thread_id.load(), current_thread_id());
  constexpr uint64_t kTerminate = uint64_t{1} << (15 - 1);
  EXPECT_NE(shared.blocked.load() & kTerminate, 0u);
  const uint64_t after = block_signals();
  restore_signals(after);
  EXPECT_EQ(after, before) << "the caller's signals are as they were";
  shared.done.store(true, std::memory_order_release);
  while (shared.thread_id.load(std::memory_order_acquire) != 0) sleep_ns(100000);
}

TEST(Clock, CountsCpuTimeOfAnyThread) {
  const uint64_t start = thread_cpu_ns();
  while (thread_cpu_ns() < start + 5000000) {
  }
  EXPECT_GE(thread_cpu_ns(current_thread_id()), start + 5000000);
  constexpr uint32_t kNoThread = uint32_t{1} << 22;  // above every id that the kernel gives
  EXPECT_EQ(thread_cpu_ns(kNoThread), 0u);
}

}  // namespace
}  // namespace mmt::sys
