// A handler that only frees and a main loop that only allocates: frees that re-enter an allocation
// are not lost, so resident memory stays bounded.
// @only mmt protocol

#include "support/memory.h"
#include "support/signal_storm.h"

enum { kRing = 4096 };
static void* ring[kRing];

static void free_all(int signal_number) {
  (void)signal_number;
  int saved = errno;
  for (int i = 0; i < kRing; ++i) free(__atomic_exchange_n(&ring[i], NULL, __ATOMIC_SEQ_CST));
  errno = saved;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = free_all;
  EXPECT(sigaction(STORM_SIGNAL, &action, NULL) == 0);
  static struct Storm here;
  storm_start(&here, 1, 100000);
  size_t before = resident_bytes();
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  uint64_t seed = 8;
  size_t allocated = 0;
  do {
    for (int i = 0; i < 1000; ++i) {
      size_t size = 1000 + next_random(&seed) % 4000;
      char* p = malloc(size);
      p[0] = 1;
      allocated += size;
      free(__atomic_exchange_n(&ring[next_random(&seed) % kRing], p, __ATOMIC_SEQ_CST));
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - start.tv_sec < 3);
  size_t after = resident_bytes();
  EXPECT(after < before + ((size_t)200 << 20), "%zu then %zu of %zu", before, after, allocated);
  return 0;
}
