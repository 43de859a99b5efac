// The memory that a process of 500 busy threads holds beyond the most in use at any moment is
// bounded for all of them together. The bound is spans of 36 classes for each of the first 16,
// which alone are generous, and what 500 stacks and thrifty clients take. The threads allocate and
// free as fast as they can.
// @only mmt
// @timeout 120

#include <pthread.h>

#include "support/memory.h"

enum { kThreads = 500, kBlocks = 200, kRounds = 30, kMostBeyond = 64 << 20 };

static pthread_barrier_t start;
static size_t in_use, most_in_use;

static void count(size_t bytes) {
  size_t now = __atomic_add_fetch(&in_use, bytes, __ATOMIC_RELAXED);
  size_t most = __atomic_load_n(&most_in_use, __ATOMIC_RELAXED);
  while (now > most && !__atomic_compare_exchange_n(&most_in_use, &most, now, 1, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED)) {
  }
}

static void* run(void* arg) {
  long thread = (long)arg;
  unsigned char* blocks[kBlocks];
  size_t sizes[kBlocks];
  pthread_barrier_wait(&start);
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kBlocks; ++i) {
      sizes[i] = 16 + (size_t)(thread * 37 + i * 91 + round) % 5000;
      count(sizes[i]);
      blocks[i] = malloc(sizes[i]);
      EXPECT(blocks[i] != NULL);
      memset(blocks[i], (int)thread, sizes[i]);
    }
    for (int i = 0; i < kBlocks; ++i) {
      EXPECT(blocks[i][0] == (unsigned char)thread && blocks[i][sizes[i] - 1] == blocks[i][0]);
      free(blocks[i]);
      __atomic_fetch_sub(&in_use, sizes[i], __ATOMIC_RELAXED);
    }
  }
  return NULL;
}

int main(void) {
  static pthread_t threads[kThreads];
  pthread_attr_t small;
  EXPECT(!pthread_attr_init(&small));
  EXPECT(!pthread_attr_setstacksize(&small, 64 << 10));
  EXPECT(!pthread_barrier_init(&start, NULL, kThreads));
  for (long t = 0; t < kThreads; ++t) EXPECT(!pthread_create(&threads[t], &small, run, (void*)t));
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
  size_t held = status_value("VmHWM:") * 1024;
  printf("%zu KiB held, %zu KiB in use at most\n", held >> 10, most_in_use >> 10);
  EXPECT(held < most_in_use + kMostBeyond, "%zu KiB beyond", (held - most_in_use) >> 10);
  return 0;
}
