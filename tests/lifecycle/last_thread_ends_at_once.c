// A program whose last thread ends by a raw call, after it was idle for a while, is gone at once.
// The memory thread sleeps, but not through that. The last thread may be the main thread, one that
// goes on after the main thread, or one that has joined it.
// @timeout 120

#include <pthread.h>
#include <sys/syscall.h>

#include "support/processes.h"

enum { kIdleMicroseconds = 1700000, kAttempts = 4, kOfMain = 3 };
static const double kLimit = 0.7;

enum Last { kMain, kOther, kOtherByCall, kJoins, kLasts };

static pthread_t main_thread;
static int end_of_last[2];

// The reading end learns when.
static void end_here(int status) {
  const double now = seconds_now();
  EXPECT(write(end_of_last[1], &now, sizeof now) == sizeof now);
  syscall(SYS_exit, status);
}

static void* goes_on(void* joins) {
  if (joins != NULL) EXPECT(pthread_join(main_thread, NULL) == 0);
  usleep(kIdleMicroseconds);
  end_here(5);
  return NULL;
}

static void program(enum Last last) {
  main_thread = pthread_self();
  allocate_volume(16);
  if (last == kMain) {
    usleep(kIdleMicroseconds);
    end_here(kOfMain);
  }
  pthread_t other;
  EXPECT(pthread_create(&other, NULL, goes_on, last == kJoins ? &other : NULL) == 0);
  if (last == kJoins) usleep(200000);
  if (last != kOtherByCall) pthread_exit(NULL);
  syscall(SYS_exit, kOfMain);
}

static bool ends_at_once(enum Last last) {
  EXPECT(pipe(end_of_last) == 0);
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) program(last);
  close(end_of_last[1]);
  int status = 0;
  double ended = 0;
  const double limit = seconds_now() + 30;
  while (waitpid(child, &status, WNOHANG) == 0 && seconds_now() < limit) usleep(2000);
  const double gone = seconds_now();
  if (gone >= limit) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  EXPECT(read(end_of_last[0], &ended, sizeof ended) == sizeof ended);
  close(end_of_last[0]);
  EXPECT(WIFEXITED(status), "%d: %#x", last, (unsigned)status);
  if (last == kMain) EXPECT(WEXITSTATUS(status) == kOfMain, "%#x", (unsigned)status);
  printf("%d: gone after %.0f ms\n", last, (gone - ended) * 1e3);
  return gone - ended < kLimit;
}

// More than once, for a machine under load.
static void judge(void* last) {
  for (int i = 0; i < kAttempts; ++i)
    if (ends_at_once((enum Last)(uintptr_t)last)) return;
  EXPECT(false, "%d: late", (int)(uintptr_t)last);
}

int main(void) {
  pid_t judges[kLasts];
  for (uintptr_t last = 0; last < kLasts; ++last) judges[last] = fork_child(judge, (void*)last);
  for (int last = 0; last < kLasts; ++last) {
    const int status = wait_status(judges[last], 100);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d: %#x", last, (unsigned)status);
  }
  return 0;
}
