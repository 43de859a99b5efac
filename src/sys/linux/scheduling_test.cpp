// What a thread is given of another one's class, asked of the kernel.
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include <gtest/gtest.h>

#include <mmt/sys/scheduling.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

// Another thread, for as long as the test lasts. The test's own is ordinary again afterwards.
class ClassOfThreads : public testing::Test {
 protected:
  void SetUp() override {
    if (!become(SCHED_FIFO, 1)) GTEST_SKIP() << "real-time classes are forbidden here";
    become(SCHED_OTHER, 0);
    while (other_ == 0) yield();
  }
  void TearDown() override {
    become(SCHED_OTHER, 0);
    is_over_.store(true);
    thread_.join();
  }

  static bool become(int policy, int priority) {
    const sched_param values{priority};
    return ::sched_setscheduler(0, policy, &values) == 0;
  }
  static Scheduling of(uint32_t thread) {
    Scheduling found{};
    EXPECT_TRUE(found.read(thread));
    return found;
  }
  uint32_t other() const { return other_; }

 private:
  std::atomic<uint32_t> other_{0};
  std::atomic<bool> is_over_{false};
  std::thread thread_{[this] {
    other_ = current_thread_id();
    while (!is_over_.load()) sleep_ns(1'000'000);
  }};
};

TEST_F(ClassOfThreads, IsFollowed) {
  become(SCHED_RR, 3);
  EXPECT_TRUE(follow_class(of(current_thread_id()), other(), 0));
  EXPECT_EQ(of(other()), of(current_thread_id()));
  become(SCHED_OTHER, 0);
  EXPECT_TRUE(follow_class(of(current_thread_id()), other(), 0));
  EXPECT_FALSE(of(other()).is_real_time());
}

TEST_F(ClassOfThreads, IsLentByRealTimeThreadsAlone) {
  EXPECT_FALSE(lend_real_time(other()));
  EXPECT_FALSE(of(other()).is_real_time());
  become(SCHED_FIFO, 7);
  EXPECT_TRUE(lend_real_time(other()));
  EXPECT_EQ(of(other()), of(current_thread_id()));
  // What was lent goes back with the next look at the thread that is followed.
  become(SCHED_OTHER, 0);
  EXPECT_TRUE(follow_class(of(current_thread_id()), other(), 0));
  EXPECT_FALSE(of(other()).is_real_time());
}

TEST(Scheduling, TheWeakerIsNoStrongerThanEitherInAnything) {
  const auto both = [](Scheduling a, Scheduling b) {
    EXPECT_EQ(weaker_of(a, b), weaker_of(b, a));
    return weaker_of(a, b);
  };
  const Scheduling plain{SCHED_OTHER, 0, 0};
  EXPECT_EQ(both(plain, {SCHED_OTHER, 5, 0}), (Scheduling{SCHED_OTHER, 5, 0}));
  EXPECT_EQ(both({SCHED_OTHER, -5, 0}, plain), plain);
  EXPECT_EQ(both({SCHED_BATCH, 0, 0}, {SCHED_OTHER, 7, 0}), (Scheduling{SCHED_BATCH, 7, 0}));
  EXPECT_EQ(both({SCHED_IDLE, 0, 0}, {SCHED_BATCH, 3, 0}), (Scheduling{SCHED_IDLE, 3, 0}));
  EXPECT_EQ(both({SCHED_FIFO, 0, 9}, {SCHED_OTHER, -3, 0}), (Scheduling{SCHED_OTHER, -3, 0}));
  EXPECT_EQ(both({SCHED_FIFO, 0, 4}, {SCHED_FIFO, 0, 9}), (Scheduling{SCHED_FIFO, 0, 4}));
  EXPECT_EQ(both({SCHED_FIFO, 0, 4}, {SCHED_RR, 0, 9}), (Scheduling{SCHED_RR, 0, 4}));
  EXPECT_EQ(both({6, 0, 0}, {SCHED_FIFO, 0, 9}), (Scheduling{SCHED_FIFO, 0, 9}));
}

}  // namespace
}  // namespace mmt::sys
