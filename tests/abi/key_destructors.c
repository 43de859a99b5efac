// pthread_key destructors that free and allocate in every one of the rounds libc grants, with keys
// made before and after the thread's first allocation.

#include <limits.h>
#include <pthread.h>

#include "support/pattern.h"

enum { kKeys = 200 };
static pthread_key_t keys[kKeys];
static int rounds_seen = 0;

struct Value {
  int key;
  int round;
  char* block;
};

static void destroy(void* arg) {
  struct Value* v = arg;
  check_pattern(v->block, 300, (uint64_t)v->key);
  free(v->block);
  if (v->round > __atomic_load_n(&rounds_seen, __ATOMIC_RELAXED))
    __atomic_store_n(&rounds_seen, v->round, __ATOMIC_RELAXED);
  if (v->round + 1 < PTHREAD_DESTRUCTOR_ITERATIONS) {
    struct Value* next = malloc(sizeof *next);
    next->key = v->key;
    next->round = v->round + 1;
    next->block = realloc(malloc(10), 300);
    fill_pattern(next->block, 300, (uint64_t)v->key);
    pthread_setspecific(keys[v->key], next);
  }
  free(v);
}

static void* work(void* arg) {
  for (int k = 0; k < kKeys; ++k) {
    struct Value* v = malloc(sizeof *v);
    v->key = k;
    v->round = 0;
    v->block = malloc(300);
    fill_pattern(v->block, 300, (uint64_t)k);
    EXPECT(pthread_setspecific(keys[k], v) == 0);
  }
  return arg;
}

int main(void) {
  for (int k = 0; k < kKeys; ++k) EXPECT(pthread_key_create(&keys[k], destroy) == 0);
  for (int round = 0; round < 50; ++round) {
    pthread_t threads[4];
    for (int t = 0; t < 4; ++t) EXPECT(pthread_create(&threads[t], NULL, work, NULL) == 0);
    for (int t = 0; t < 4; ++t) pthread_join(threads[t], NULL);
  }
  EXPECT(rounds_seen == PTHREAD_DESTRUCTOR_ITERATIONS - 1, "%d", rounds_seen);
  return 0;
}
