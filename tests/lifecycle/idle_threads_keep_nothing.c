// Threads that have worked and then wait give back what they held, without any call of theirs. The
// blocks that live meanwhile stay as they are, and the threads go on where they were.
// @only mmt
// @memory-thread
// @timeout 120

#include <pthread.h>

#include "support/memory.h"
#include "support/pattern.h"

enum { kThreads = 100, kBlocks = 200, kRounds = 20, kLeft = 16 << 20 };

static pthread_barrier_t worked, again;

static size_t size_of(long thread, int i, int round) {
  return 16 + (size_t)(thread * 37 + i * 91 + round) % 5000;
}

static void work(long thread) {
  void* blocks[kBlocks];
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kBlocks; ++i) {
      size_t size = size_of(thread, i, round);
      blocks[i] = malloc(size);
      fill_pattern(blocks[i], size, (uint64_t)i);
    }
    for (int i = 0; i < kBlocks; ++i) {
      check_pattern(blocks[i], size_of(thread, i, round), (uint64_t)i);
      free(blocks[i]);
    }
  }
}

static void* run(void* arg) {
  long thread = (long)arg;
  void* kept = malloc(1000);
  fill_pattern(kept, 1000, (uint64_t)thread);
  // All are amid their work at once.
  pthread_barrier_wait(&worked);
  work(thread);
  pthread_barrier_wait(&worked);
  pthread_barrier_wait(&again);
  work(thread);
  check_pattern(kept, 1000, (uint64_t)thread);
  free(kept);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  EXPECT(!pthread_barrier_init(&worked, NULL, kThreads + 1));
  EXPECT(!pthread_barrier_init(&again, NULL, kThreads + 1));
  for (long t = 0; t < kThreads; ++t) EXPECT(!pthread_create(&threads[t], NULL, run, (void*)t));
  pthread_barrier_wait(&worked);
  size_t start = resident_bytes();
  pthread_barrier_wait(&worked);
  size_t left = resident_within(start + kLeft);
  EXPECT(left <= start + kLeft, "%zu bytes before, %zu left", start, left);
  pthread_barrier_wait(&again);
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
  return 0;
}
