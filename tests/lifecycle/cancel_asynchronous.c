// The process goes on when threads are cancelled asynchronously, at any point inside malloc and
// free. Other threads' blocks stay intact. The malloc and free of glibc may stay locked for ever;
// ours must not.
// @only mmt
// @soak 20000

#include <pthread.h>

#include "support/processes.h"

static void* work(void* arg) {
  void* slots[64] = {0};
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (;;) {
    uint64_t r = next_random(&seed);
    void** slot = &slots[r % 64];
    free(*slot);
    *slot = malloc(r / 64 % (r % 100 == 0 ? 200000 : 1000));
  }
  return NULL;
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 500;
  enum { kKept = 1000 };
  void* kept[kKept];
  for (uint64_t i = 0; i < kKept; ++i) fill_pattern(kept[i] = malloc(100 + i), 100 + i, i);
  for (int round = 0; round < rounds; ++round) {
    pthread_t t[2];
    for (uintptr_t i = 0; i < 2; ++i)
      EXPECT(pthread_create(&t[i], NULL, work, (void*)(i + (uintptr_t)round)) == 0);
    usleep((useconds_t)(round % 20) * 40);
    for (int i = 0; i < 2; ++i) EXPECT(pthread_cancel(t[i]) == 0);
    for (int i = 0; i < 2; ++i) EXPECT(pthread_join(t[i], NULL) == 0);
    for (uint64_t i = 0; i < 100; ++i) free(malloc(i * 50));
  }
  for (uint64_t i = 0; i < kKept; ++i) {
    check_pattern(kept[i], 100 + i, i);
    free(kept[i]);
  }
  return 0;
}
