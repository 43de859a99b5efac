// A server's pool of threads, of which one at a time serves a request: allocates some blocks, uses
// them, and frees them. Slow enough for a memory thread to look several times.
#pragma once

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/memory.h"

enum { kPoolRounds = 50, kPoolPauseUs = 60000 };

struct Pool {
  int threads;
  int blocks;
  const size_t* sizes;
};

static struct Pool pool;
static pthread_mutex_t pool_turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t pool_step;

static void* serve_requests(void* arg) {
  for (int round = 0; round < kPoolRounds; ++round) {
    void* blocks[16];
    pthread_mutex_lock(&pool_turn);
    for (int i = 0; i < pool.blocks; ++i) {
      blocks[i] = malloc(pool.sizes[i]);
      EXPECT(blocks[i] != NULL);
      memset(blocks[i], round, pool.sizes[i]);
    }
    for (int i = 0; i < pool.blocks; ++i) free(blocks[i]);
    pthread_mutex_unlock(&pool_turn);
    if (pthread_barrier_wait(&pool_step) == PTHREAD_BARRIER_SERIAL_THREAD) usleep(kPoolPauseUs);
    pthread_barrier_wait(&pool_step);
  }
  pthread_barrier_wait(&pool_step);
  return arg;
}

// What the process has more of at the end than before its threads started.
static size_t run_pool(void) {
  size_t before = resident_bytes();
  pthread_t threads[100];
  pthread_attr_t small;
  EXPECT(!pthread_attr_init(&small));
  EXPECT(!pthread_attr_setstacksize(&small, 64 << 10));
  EXPECT(!pthread_barrier_init(&pool_step, NULL, (unsigned)pool.threads + 1));
  for (int t = 0; t < pool.threads; ++t)
    EXPECT(!pthread_create(&threads[t], &small, serve_requests, NULL));
  for (int i = 0; i < 2 * kPoolRounds; ++i) pthread_barrier_wait(&pool_step);
  size_t held = resident_bytes() - before;
  pthread_barrier_wait(&pool_step);
  for (int t = 0; t < pool.threads; ++t) pthread_join(threads[t], NULL);
  return held;
}

// The same pool in each of `processes`: none holds more than `most` bytes.
static inline void run_pools(int processes, struct Pool all, size_t most) {
  pool = all;
  for (int p = 0; p < processes; ++p) {
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child != 0) continue;
    size_t held = run_pool();
    printf("%zu KiB held\n", held >> 10);
    EXPECT(held < most, "%zu KiB held", held >> 10);
    exit(0);
  }
  for (int p = 0; p < processes; ++p) {
    int status;
    EXPECT(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", status);
  }
}
