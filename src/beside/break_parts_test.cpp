// Steps and the program's moves of the break exclude each other.
#include "beside/break_parts.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "beside/resident.h"

namespace mmt::beside {
namespace {

constexpr uint64_t kWhileNs = 20 * sys::kNanosAMilli;

TEST(BreakParts, AMoveWaitsForTheEndOfAStep) {
  std::atomic<bool> is_moving{false};
  std::thread program;
  {
    const BreakStep step;
    ASSERT_TRUE(step.may_go_on());
    program = std::thread([&] {
      const ProgramsMove move;
      is_moving = true;
    });
    sys::sleep_ns(kWhileNs);
    EXPECT_FALSE(is_moving);
  }
  program.join();
  EXPECT_TRUE(is_moving);
}

TEST(BreakParts, NoStepBeginsInAMove) {
  const uint32_t before = break_version();
  begin_break(end_of_break() - 4096);
  EXPECT_EQ(end_of_break_at(end_of_break() - 1), end_of_break());
  {
    const ProgramsMove move;
    EXPECT_NE(break_version(), before);
    EXPECT_FALSE(BreakStep().may_go_on());
    EXPECT_EQ(end_of_break_at(end_of_break() - 1), 0U) << "where it ends is not known";
  }
  EXPECT_TRUE(BreakStep().may_go_on());
  EXPECT_EQ(end_of_break_at(end_of_break() - 1), end_of_break());
}

TEST(BreakParts, AChildHasNeither) {
  pid_t child;
  {
    const ProgramsMove move;
    child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      reset_break_parts_in_child();
      ::_exit(BreakStep().may_go_on() ? 0 : 1);
    }
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "a move that is not the child's";
  {
    const BreakStep step;
    child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::alarm(10);
      reset_break_parts_in_child();
      const uint64_t begin = sys::monotonic_ns();
      const ProgramsMove move;
      ::_exit(sys::monotonic_ns() - begin < sys::kNanosAMilli * 500 ? 0 : 1);
    }
  }
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "a step that is not the child's";
}

// Many of both: never at the same time.
TEST(BreakParts, NeverBoth) {
  constexpr int kMoves = 20000;
  std::atomic<bool> is_done{false};
  int shared = 0;  // plain: TSan sees an access that nothing orders
  int steps = 0;
  std::thread program([&] {
    for (int i = 0; i < kMoves; ++i) {
      const ProgramsMove move;
      ++shared;
    }
    is_done = true;
  });
  while (!is_done) {
    const BreakStep step;
    if (!step.may_go_on()) continue;
    ++shared;
    ++steps;
  }
  program.join();
  EXPECT_EQ(shared, kMoves + steps);
}

}  // namespace
}  // namespace mmt::beside
