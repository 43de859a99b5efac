// 600 threads alive at once, more than any fixed table: each allocates, waits for all the others,
// and frees what its neighbour allocated.
// @timeout 280

#include <pthread.h>

#include "support/pattern.h"

enum { kThreads = 600, kBlocks = 40 };
static void* blocks[kThreads][kBlocks];
static pthread_barrier_t barrier;

static void* work(void* arg) {
  uint64_t me = (uint64_t)(uintptr_t)arg;
  for (uint64_t i = 0; i < kBlocks; ++i) {
    blocks[me][i] = malloc(50 + i * 30);
    fill_pattern(blocks[me][i], 50 + i * 30, me * 1000 + i);
  }
  pthread_barrier_wait(&barrier);
  uint64_t other = (me + 1) % kThreads;
  for (uint64_t i = 0; i < kBlocks; ++i) {
    check_pattern(blocks[other][i], 50 + i * 30, other * 1000 + i);
    free(blocks[other][i]);
  }
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 200; ++i) free(malloc((size_t)i * 8));
  return NULL;
}

int main(void) {
  static pthread_t threads[kThreads];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (uintptr_t t = 0; t < kThreads; ++t)
    EXPECT(pthread_create(&threads[t], &small, work, (void*)t) == 0, "thread %zu", (size_t)t);
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
  return 0;
}
