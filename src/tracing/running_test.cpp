// Processes of this pid namespace, and one of a namespace below it.
#include "tracing/running.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "programs/supervise.h"

namespace mmt::tracing {

using programs::own_children;

namespace {

TEST(Running, OwnAndEnded) {
  EXPECT_TRUE(is_running(::getpid()));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (std::filesystem::exists("/proc/thread-self/children")) {
    EXPECT_TRUE(own_children().contains(child));
  }
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(is_running(child));  // a zombie
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(is_running(child));
}

// A process whose first thread ends, and whose other one waits to be killed.
pid_t start_with_an_ended_thread() {
  const pid_t child = ::fork();
  if (child != 0) return child;
  pthread_t other;
  const auto wait = [](void*) -> void* {
    while (true) ::pause();
  };
  if (::pthread_create(&other, nullptr, wait, nullptr) != 0) ::_exit(1);
  ::syscall(SYS_exit, 0);
  ::_exit(1);
}

TEST(Running, ItsFirstThreadHasEnded) {
  const pid_t child = start_with_an_ended_thread();
  ASSERT_GT(child, 0);
  const std::string path = "/proc/" + std::to_string(child) + "/stat";
  char state = 'R';
  while (state != 'Z') {
    std::ifstream file(path);
    std::string text;
    ASSERT_TRUE(std::getline(file, text));
    state = text[text.rfind(") ") + 2];
  }
  EXPECT_TRUE(is_running(child));
  ::kill(child, SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(is_running(child));
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
}

// The first process of another pid namespace, which waits to be killed.
pid_t start_below() {
  for (const int flags : {CLONE_NEWPID, CLONE_NEWPID | CLONE_NEWUSER}) {
    const long child = ::syscall(SYS_clone, static_cast<long>(flags) | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
      while (true) ::pause();
    }
    if (child > 0) return static_cast<pid_t>(child);
  }
  return 0;
}

TEST(Running, BelowIsFoundByItsOwnId) {
  const pid_t child = start_below();
  if (child == 0) GTEST_SKIP() << "no pid namespaces";
  const std::uint64_t space = pid_space_of(child);
  ASSERT_NE(space, 0u);
  EXPECT_NE(space, own_pid_space());
  RunningBelow below;
  EXPECT_TRUE(below.contains(space, 2));  // not looked yet
  below.look();
  EXPECT_TRUE(below.contains(space, 1));
  EXPECT_FALSE(below.contains(space, 2));
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  below.look();
  EXPECT_FALSE(below.contains(space, 1));
}

}  // namespace
}  // namespace mmt::tracing
