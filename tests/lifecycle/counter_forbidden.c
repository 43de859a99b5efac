// A program forbids itself the cycle counter, by libc's call or past it, before its heap has grown
// or after. No call of malloc and free then reads a clock, on any thread. Nothing that is started
// for the program reads a clock either. The same holds in a fork's child.

#include <malloc.h>
#include <pthread.h>

#include "support/processes.h"
#include "support/seccomp.h"

static void* use(void* arg) {
  enum { kBlocks = 2000 };
  char** blocks = calloc(kBlocks, sizeof *blocks);
  EXPECT(blocks != NULL);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kBlocks; ++i) {
      const size_t bytes = i % 400 == 7 ? 300000 : 16 + (size_t)i * 37 % 3000;
      blocks[i] = i % 3 == 0 ? calloc(1, bytes) : malloc(bytes);
      EXPECT(blocks[i] != NULL);
      blocks[i][0] = 1;
    }
    for (int i = 0; i < kBlocks; i += 5) {
      blocks[i] = realloc(blocks[i], 5000 + (size_t)i % 700 * 1000);
      EXPECT(blocks[i] != NULL);
    }
    for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  }
  free(blocks);
  return arg;
}

static void use_on_threads(void) {
  enum { kThreads = 8 };
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) EXPECT(pthread_create(&threads[i], NULL, use, NULL) == 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
}

static void use_in_child(void* arg) {
  (void)arg;
  use(NULL);
  usleep(1200000);  // what is done late
  use(NULL);
}

enum { kLate = 1, kUnseen = 2 };

// No time is asked for in here: the program may not.
static void forbid(void* arg) {
  const uintptr_t how = (uintptr_t)arg;
  if (how & kLate) use(NULL);
  free(malloc(100));
  const long result = how & kUnseen ? call_unseen(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0)
                                    : prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
  EXPECT(result == 0);
  use(NULL);
  use_on_threads();
  const pid_t child = fork();
  if (child == 0) {
    use_in_child(NULL);
    _exit(0);
  }
  usleep(1200000);
  use(NULL);
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "%#x", (unsigned)status);
  malloc_trim(0);
}

int main(void) {
  pid_t children[4];
  for (uintptr_t how = 0; how < 4; ++how) children[how] = fork_child(forbid, (void*)how);
  for (int i = 0; i < 4; ++i) expect_success(children[i]);
  return 0;
}
