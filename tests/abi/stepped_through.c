// A tracer that steps through a program instruction by instruction gets through every call for
// memory. The calls are for small blocks and larger ones, also beside other threads, and in a
// signal handler.
// @timeout 120
// @without harden
// @needs ptrace

#include <pthread.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "support/processes.h"

enum { kMostSteps = 3000000, kDone = 7 };

// The last is beyond all size classes.
enum { kClassSizes = 6 };
static const size_t kSizes[kClassSizes + 1] = {1, 100, 1000, 2000, 30000, 200000, 400000};

static void use_each_call(size_t size) {
  char* p = (char*)malloc(size);
  OPAQUE(p);
  char* q = (char*)calloc(1, size < 2000 ? size : 16);
  OPAQUE(q);
  void* aligned = NULL;
  EXPECT(posix_memalign(&aligned, 256, size) == 0);
  OPAQUE(aligned);
  p[0] = q[0] = 1;
  p = (char*)realloc(p, size < 2000 ? size * 2 : size + 1);
  OPAQUE(p);
  free(aligned);
  free(q);
  free(p);
}

static void use_in_handler(int number) {
  (void)number;
  free(malloc(100));
}

// Warm caches first: it is the fast paths that must be got through.
static void stepped(bool beside_threads) {
  for (int i = 0; i < 1000; ++i)
    for (size_t s = 0; s < kClassSizes; ++s) free(malloc(kSizes[s]));
  pthread_t churning;
  if (beside_threads) EXPECT(pthread_create(&churning, NULL, churn_thread, NULL) == 0);
  if (beside_threads) allocate_volume(8);
  signal(SIGUSR1, use_in_handler);
  EXPECT(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
  raise(SIGSTOP);
  for (size_t s = 0; s < kClassSizes + 1; ++s) use_each_call(kSizes[s]);
  _exit(kDone);
}

static void step_through(bool beside_threads) {
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) stepped(beside_threads);
  int status;
  EXPECT(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
  int signal_sent = 0;
  for (long steps = 0; steps < kMostSteps; ++steps) {
    signal_sent = steps % 1009 == 1008 ? SIGUSR1 : 0;
    EXPECT(ptrace(PTRACE_SINGLESTEP, child, 0, signal_sent) == 0);
    EXPECT(waitpid(child, &status, 0) == child);
    if (WIFSTOPPED(status)) continue;
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == kDone, "%#x", (unsigned)status);
    return;
  }
  kill(child, SIGKILL);
  EXPECT(false, "stuck");
}

int main(void) {
  step_through(false);
  step_through(true);
  return 0;
}
