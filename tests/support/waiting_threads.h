// Threads that each hold a few blocks while all the others do, several times over.
#pragma once

#include <pthread.h>

#include "support/memory.h"

struct WaitingThreads {
  int count;
  int blocks;  // of each, up to 64
  int rounds;
  size_t most;  // a block's size
};

static struct WaitingThreads waiting;
static pthread_barrier_t all_hold;

static void* hold_blocks(void* arg) {
  uint32_t x = (uint32_t)(uintptr_t)arg * 2654435761u + 1;
  for (int round = 0; round < waiting.rounds; ++round) {
    void* blocks[64];
    for (int i = 0; i < waiting.blocks; ++i) {
      x = x * 1103515245 + 12345;
      size_t size = 16 + (x >> 8) % waiting.most;
      blocks[i] = malloc(size);
      EXPECT(blocks[i] != NULL);
      memset(blocks[i], 1, size);
    }
    pthread_barrier_wait(&all_hold);
    for (int i = 0; i < waiting.blocks; ++i) free(blocks[i]);
  }
  return NULL;
}

// The process's peak, in bytes.
static inline size_t run_waiting_threads(struct WaitingThreads how) {
  static pthread_t threads[1000];
  waiting = how;
  pthread_attr_t small;
  EXPECT(!pthread_attr_init(&small));
  EXPECT(!pthread_attr_setstacksize(&small, 64 << 10));
  EXPECT(!pthread_barrier_init(&all_hold, NULL, (unsigned)how.count));
  for (intptr_t t = 0; t < how.count; ++t)
    EXPECT(!pthread_create(&threads[t], &small, hold_blocks, (void*)t));
  for (int t = 0; t < how.count; ++t) pthread_join(threads[t], NULL);
  size_t held = status_value("VmHWM:") * 1024;
  printf("%zu KiB held\n", held >> 10);
  return held;
}
