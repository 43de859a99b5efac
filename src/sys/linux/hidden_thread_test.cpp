// A thread that comes and goes leaves when it is told to. No request reaches the next one, and
// where none may come none does.
#include <atomic>

#include <gtest/gtest.h>

#include <mmt/sys/hidden_thread.h>

namespace mmt::sys {
namespace {

class HiddenThreads : public testing::Test {
 protected:
  HiddenThreads() { thread.adopt_process(); }
  ~HiddenThreads() override {
    thread.stop([] {});
  }
  void start() {
    ASSERT_EQ(thread.start(body, this), 0);
    while (!is_there) yield();
  }
  static void body(void* self) {
    auto& mine = *static_cast<HiddenThreads*>(self);
    mine.is_there = true;
    while (!mine.thread.must_leave(current_thread_id())) sleep_ns(100'000);
    mine.thread.has_left();
    mine.is_there = false;
  }

  HiddenThread thread;
  std::atomic<bool> is_there{false};
};

TEST_F(HiddenThreads, LeaveWhenTheyAreToldTo) {
  EXPECT_EQ(thread.stop([] {}), 0u) << "there is none";
  start();
  const uint32_t id = thread.id();
  int woken = 0;
  EXPECT_EQ(thread.stop([&] { ++woken; }), id);
  EXPECT_GE(woken, 1);
  EXPECT_FALSE(is_there);
  EXPECT_EQ(thread.id(), 0u);
  EXPECT_TRUE(thread.is_gone());
}

TEST_F(HiddenThreads, ComeAgain) {
  for (int i = 0; i < 10; ++i) {
    start();
    EXPECT_NE(thread.stop([] {}), 0u);
  }
}

TEST_F(HiddenThreads, HaveAllThatTheirStarterHasUntilTheyGiveItUp) {
  EXPECT_FALSE(thread.has_more_than(true)) << "there is none";
  start();
  EXPECT_TRUE(thread.has_more_than(false));
}

TEST_F(HiddenThreads, AreTheProcesssOwn) {
  EXPECT_TRUE(thread.has_home());
  EXPECT_TRUE(thread.at_home());
  EXPECT_TRUE(HiddenThread{}.at_home()) << "not known yet";
}

TEST_F(HiddenThreads, StayAwayInChildrenOnlyWhereThatWasSaid) {
  EXPECT_FALSE(thread.stays_away());
  thread.start_none(false);
  EXPECT_TRUE(thread.stays_away());
  EXPECT_TRUE(thread.reset_in_child());
  EXPECT_FALSE(thread.stays_away());
  thread.start_none(true);
  EXPECT_FALSE(thread.reset_in_child());
  EXPECT_TRUE(thread.stays_away());
}

}  // namespace
}  // namespace mmt::sys
