// What a thread gives up, and what it sees of others, asked of the kernel.
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/rights.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

constexpr int kNobody = 65534;

// Threads that do as they are told and then wait for the test to end.
class OtherThreads : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root has something to give up";
    if (is_filtered()) GTEST_SKIP() << "a filter of system calls is there";
  }
  void TearDown() override {
    is_over_.store(true);
    for (std::thread& one : threads_) one.join();
  }
  template <class Act>
  uint32_t start(Act act) {
    std::atomic<uint32_t> id{0};
    threads_.emplace_back([&, act] {
      act();
      id.store(current_thread_id());
      id.notify_one();
      while (!is_over_.load()) sleep_ns(1'000'000);
    });
    id.wait(0);
    return id.load();
  }
  // What a thread of ours sees, in a look after which each of the others has had its turn.
  Standing seen(RightsWatch& watch, int looks = 1) {
    Standing worst = Standing::kAlike;
    std::thread([&] {
      EXPECT_TRUE(leave_open_files());
      watch.open(current_thread_id(), current_process_id());
      for (int i = 0; i < looks; ++i) {
        const Standing now = watch.look();
        if (worst < now) worst = now;
      }
    }).join();
    return worst;
  }

  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

TEST_F(OtherThreads, AreAlike) {
  start([] {});
  RightsWatch watch;
  EXPECT_EQ(seen(watch), Standing::kAlike);
  EXPECT_FALSE(watch.has_main_changed());
}

TEST_F(OtherThreads, DifferByEachUserAndGroup) {
  const gid_t one = kNobody;
  const auto differs_after = [this](auto act) {
    start(act);
    RightsWatch watch;
    return seen(watch) == Standing::kDiffers;
  };
  EXPECT_TRUE(differs_after([] { ::syscall(SYS_setfsuid, kNobody); }));
  TearDown();
  threads_.clear();
  is_over_.store(false);
  EXPECT_TRUE(differs_after([&] { EXPECT_EQ(::syscall(SYS_setgroups, 1, &one), 0); }));
}

TEST_F(OtherThreads, AreSeenWithManyInTurn) {
  for (unsigned i = 0; i < 3 * RightsWatch::kThreadsALook; ++i) start([] {});
  start([] { ::syscall(SYS_setresgid, -1, kNobody, -1); });
  RightsWatch watch;
  EXPECT_EQ(seen(watch, 5), Standing::kDiffers);
}

// The kernel says of a thread on its first and last steps that it is in no control group. That
// shows where the test is in one itself.
TEST_F(OtherThreads, DoNotDifferAsTheyComeAndGo) {
  std::thread starter([&] {
    while (!is_over_.load()) std::thread([] {}).join();
  });
  RightsWatch watch;
  EXPECT_EQ(seen(watch, 5000), Standing::kAlike);
  is_over_.store(true);
  starter.join();
}

TEST_F(OtherThreads, HaveTheWeakestClass) {
  start([] { ::setpriority(PRIO_PROCESS, 0, 9); });
  RightsWatch watch;
  seen(watch, 2);
  ASSERT_TRUE(watch.has_weakest());
  EXPECT_GE(watch.weakest().niceness, 9);
}

TEST_F(OtherThreads, AreLeftWithWhatOneGivesUp) {
  std::atomic<bool> given{false};
  const uint32_t other = start([&] { given.store(give_up_capabilities() == Kept::kNothing); });
  EXPECT_TRUE(given.load());
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, static_cast<int>(other)};
  __user_cap_data_struct theirs[2]{};
  __user_cap_data_struct own[2]{};
  ASSERT_EQ(::syscall(SYS_capget, &header, theirs), 0);
  EXPECT_EQ(theirs[0].effective | theirs[0].permitted | theirs[1].permitted, 0u);
  header.pid = 0;
  ASSERT_EQ(::syscall(SYS_capget, &header, own), 0);
  EXPECT_NE(own[0].permitted, 0u);
  EXPECT_EQ(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 0);
}

TEST_F(OtherThreads, KeepTheCapabilitiesThatAreNamed) {
  const uint32_t other = start([] { give_up_capabilities(uint64_t{1} << CAP_SETUID); });
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, static_cast<int>(other)};
  __user_cap_data_struct theirs[2]{};
  ASSERT_EQ(::syscall(SYS_capget, &header, theirs), 0);
  EXPECT_EQ(theirs[0].effective, 1u << CAP_SETUID);
  EXPECT_EQ(theirs[0].inheritable, 0u);
}

// The thread sanitizer has a thread of its own in each process.
#ifndef __SANITIZE_THREAD__
TEST(Threads, AreCountedUntilTheyAreGone) {
  if (is_filtered()) GTEST_SKIP() << "a filter of system calls is there";
  EXPECT_FALSE(has_other_threads());
  std::atomic<uint32_t> id{0};
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    id.store(current_thread_id());
    while (!is_over.load()) sleep_ns(1'000'000);
  });
  while (id.load() == 0) yield();
  EXPECT_TRUE(has_other_threads());
  is_over.store(true);
  wait_until_uncounted(id.load());
  other.join();
  EXPECT_FALSE(has_other_threads());
}

TEST(YoungProcesses, AreLookedAtWithoutOpeningAFile) {
  if (is_filtered()) GTEST_SKIP() << "a filter of system calls is there";
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  const rlimit none{0, files.rlim_max};
  RightsWatch watch;
  const auto look = [&](uint64_t now_ns) {
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_EQ(watch.look_if_due(now_ns, true), Standing::kAlike);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  };
  std::thread([&] {
    constexpr uint64_t kBegin = 1'000'000'000;
    watch.open(current_thread_id(), current_process_id());
    look(kBegin);
    EXPECT_TRUE(watch.has_weakest());
    // One with more threads is looked at from files.
    watch.open(current_thread_id(), current_process_id());
    std::atomic<bool> is_over{false};
    std::thread third([&] {
      while (!is_over.load()) sleep_ns(1'000'000);
    });
    look(kBegin);
    EXPECT_FALSE(watch.has_weakest());
    is_over.store(true);
    third.join();
  }).join();
}
#endif

}  // namespace
}  // namespace mmt::sys
