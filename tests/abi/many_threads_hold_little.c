// The freed memory that many threads keep is bounded for all of them together. That memory is a
// part of what 400 threads amid their work use, not a multiple.
// @only mmt
// @timeout 120

#include <pthread.h>

#include "support/memory.h"

enum { kThreads = 400, kBlocks = 200, kRounds = 10, kMost = 112 << 20 };

static pthread_barrier_t step;

// One thread allocates at a time: little is in use at any moment.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* arg) {
  long thread = (long)arg;
  for (int round = 0; round < kRounds; ++round) {
    void* blocks[kBlocks];
    pthread_mutex_lock(&turn);
    for (int i = 0; i < kBlocks; ++i) {
      size_t size = 16 + (size_t)(thread * 37 + i * 91 + round) % 5000;
      blocks[i] = malloc(size);
      EXPECT(blocks[i] != NULL);
      memset(blocks[i], 1, size);
    }
    for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
    pthread_mutex_unlock(&turn);
    pthread_barrier_wait(&step);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_attr_t small;
  EXPECT(!pthread_attr_init(&small));
  EXPECT(!pthread_attr_setstacksize(&small, 64 << 10));
  EXPECT(!pthread_barrier_init(&step, NULL, kThreads + 1));
  for (long t = 0; t < kThreads; ++t) EXPECT(!pthread_create(&threads[t], &small, run, (void*)t));
  for (int round = 0; round < kRounds; ++round) pthread_barrier_wait(&step);
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
  EXPECT(status_value("VmHWM:") * 1024 < kMost, "%zu KiB", status_value("VmHWM:"));
  return 0;
}
