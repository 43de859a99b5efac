// A fork's child finds no mapping half done, and can grow its heap. Other threads make the heap
// grow without pause at the forks, so that some map its next piece without the depot's lock.
// @only mmt
// @soak 20000
// @soak-timeout 7000
// @timeout 120
// @timeout[protocol] 280

#include <pthread.h>

#include "support/processes.h"

enum { kThreads = 6, kForks = 100 };
// More than the piece that is mapped at a time: every block needs a mapping. Pages are not touched.
static const size_t kBlock = (size_t)33 << 20;
// The limit is for all threads, while there is one process; the next process begins anew.
static const size_t kMostBytes = (size_t)1 << 38;

static volatile int stop;
static size_t taken;

static void* grow(void* arg) {
  (void)arg;
  while (!stop && __atomic_add_fetch(&taken, kBlock, __ATOMIC_RELAXED) < kMostBytes) {
    // Kept: a freed block would be handed out again. NULL: no more address space is allowed.
    if (malloc(kBlock) == NULL) break;
  }
  return NULL;
}

static void child(void* arg) {
  (void)arg;
  alarm(15);
  for (int i = 0; i < 4; ++i) malloc(kBlock);
  for (int i = 0; i < 1000; ++i) EXPECT(malloc(5000) != NULL);
}

// One process that grows and forks.
static void fork_growing(void* forks) {
  pthread_t threads[kThreads];
  for (int t = 0; t < kThreads; ++t) EXPECT(pthread_create(&threads[t], NULL, grow, NULL) == 0);
  for (int i = 0; i < *(int*)forks; ++i) expect_success(fork_child(child, NULL));
  stop = 1;
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
}

int main(int argc, char** argv) {
  int forks = argc > 1 ? atoi(argv[1]) : kForks;
  int each = 10;
  for (int done = 0; done < forks; done += each) {
    int status = wait_status(fork_child(fork_growing, &each), 100);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", (unsigned)status);
  }
  return 0;
}
