// CPUs by affinity mask.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/cpus.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

TEST(Cpus, ThereIsOneAtLeast) {
  EXPECT_GE(affinity_cpus(), 1u);
  EXPECT_GE(online_cpus(), affinity_cpus());
}

TEST(Cpus, AreAsManyAsTheSystemSays) {
  EXPECT_EQ(online_cpus(), static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN)));
}

TEST(Threads, ThatWantACpuAreCounted) {
  EXPECT_GE(runnable_threads(), 1u) << "the caller";
  std::atomic<bool> is_over{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 5; ++i)
    busy.emplace_back([&is_over] {
      while (!is_over.load(std::memory_order_relaxed)) {
      }
    });
  unsigned most = 0;
  for (int i = 0; i < 1000 && most < 6; ++i) {
    most = std::max(most, runnable_threads());
    sleep_ns(1'000'000);
  }
  is_over.store(true);
  for (std::thread& one : busy) one.join();
  EXPECT_GE(most, 6u);
}

}  // namespace
}  // namespace mmt::sys
