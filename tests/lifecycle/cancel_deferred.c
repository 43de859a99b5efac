// Threads cancelled (deferred) while they allocate: cleanup handlers free what they held.
// @soak 20000

#include <pthread.h>

#include "support/processes.h"

struct Held {
  void* slots[100];
};

static void release(void* arg) {
  struct Held* h = arg;
  for (int i = 0; i < 100; ++i) {
    if (h->slots[i] != NULL) check_pattern(h->slots[i], 200, (uint64_t)i);
    free(h->slots[i]);
  }
  free(h);
  free(malloc(5000));
}

static void* work(void* arg) {
  struct Held* h = calloc(1, sizeof *h);
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  pthread_cleanup_push(release, h);
  for (;;) {
    uint64_t k = next_random(&seed) % 100;
    free(h->slots[k]);
    h->slots[k] = malloc(200);
    fill_pattern(h->slots[k], 200, k);
    pthread_testcancel();
  }
  pthread_cleanup_pop(1);
  return NULL;
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 300;
  size_t settled = 0;
  allocate_volume(16);
  for (int round = 0; round < rounds; ++round) {
    pthread_t t[4];
    for (uintptr_t i = 0; i < 4; ++i) EXPECT(pthread_create(&t[i], NULL, work, (void*)i) == 0);
    usleep((useconds_t)(round % 20) * 50);
    for (int i = 0; i < 4; ++i) EXPECT(pthread_cancel(t[i]) == 0);
    for (int i = 0; i < 4; ++i) {
      void* result;
      EXPECT(pthread_join(t[i], &result) == 0 && result == PTHREAD_CANCELED);
    }
    if (round == 30) settled = resident_bytes();
  }
  EXPECT(resident_bytes() < settled + (32 << 20), "%zu then %zu", settled, resident_bytes());
  return 0;
}
