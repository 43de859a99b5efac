// Threads after the main thread's end, each case in a child.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <iterator>

#include <gtest/gtest.h>

#include <mmt/sys/last_thread.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

constexpr int kOfMain = 7;

std::atomic<bool> other_ends;

void* sleeps(void*) {
  while (!other_ends) sleep_ns(1'000'000);
  return nullptr;
}

// From now on the process is killed that opens a file.
bool forbid_files() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog whole{std::size(program), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

void await_end_of_main() {
  while (!main_thread_has_ended()) sleep_ns(1'000'000);
}

void* looks_beside_another(void*) {
  await_end_of_main();
  pthread_t other;
  if (pthread_create(&other, nullptr, sleeps, nullptr) != 0 || !forbid_files()) _exit(1);
  if (status_of_last_thread().has_value()) _exit(2);
  _exit(0);
}

[[maybe_unused]] void* looks_alone(void*) {
  await_end_of_main();
  pthread_t other;
  if (pthread_create(&other, nullptr, sleeps, nullptr) != 0) _exit(1);
  if (status_of_last_thread().has_value()) _exit(2);
  other_ends = true;
  pthread_join(other, nullptr);
  for (;;)
    if (const auto status = status_of_last_thread()) _exit(*status == kOfMain ? 0 : 3);
}

// Sleeps without limit, and wakes as the main thread ends; so does a thread that waits for that end
// too.
std::atomic<uint32_t> nobodys_word;

void* sleeps_to_the_end(void*) {
  WatchfulSleep sleep;
  constexpr int kMost = 1000;  // for no reason, or as beside a thread that joins the main one
  for (int i = 0; i < kMost; ++i) {
    sleep(nobodys_word, 0, -1);
    if (main_thread_has_ended()) _exit(0);
  }
  _exit(1);
}

pthread_t main_thread;

void* joins_main(void* of_sleeper) {
  pthread_join(main_thread, nullptr);
  if (!main_thread_has_ended()) _exit(2);
  // That one ends the process.
  pthread_join(*static_cast<pthread_t*>(of_sleeper), nullptr);
  return nullptr;
}

[[maybe_unused]] void* sleeps_beside_who_joins(void*) {
  static pthread_t self;
  self = pthread_self();
  pthread_t other;
  if (pthread_create(&other, nullptr, joins_main, &self) != 0) _exit(3);
  sleep_ns(50'000'000);
  return sleeps_to_the_end(nullptr);
}

int status_of_child(void* (*body)(void*)) {
  const pid_t child = fork();
  if (child == 0) {
    watch_main_thread(static_cast<uint32_t>(getpid()));
    main_thread = pthread_self();
    pthread_t thread;
    if (!is_main_thread_watched() || pthread_create(&thread, nullptr, body, nullptr) != 0) _exit(4);
    sleep_ns(100'000'000);
    syscall(SYS_exit, kOfMain);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

// The program's threads would see a file of ours among theirs.
TEST(LastThread, OpensNothingBesideOthers) { EXPECT_EQ(status_of_child(looks_beside_another), 0); }

TEST(LastThread, WakesWhoSleepsWithoutLimit) { EXPECT_EQ(status_of_child(sleeps_to_the_end), 0); }

// The thread sanitizer has a thread of its own in each process, so that none is the last. Nor does
// it know of a main thread that is joined.
#ifndef __SANITIZE_THREAD__
TEST(LastThread, WakesWhoSleepsBesideWhoJoinsMain) {
  EXPECT_EQ(status_of_child(sleeps_beside_who_joins), 0);
}

TEST(LastThread, HasTheStatusOfMain) { EXPECT_EQ(status_of_child(looks_alone), 0); }
#endif

}  // namespace
}  // namespace mmt::sys
