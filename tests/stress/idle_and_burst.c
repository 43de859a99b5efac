// Bursts of work and pauses of many lengths, so that every state of the memory thread (spinning,
// napping, asleep, purging) meets every kind of request.
// @args 8
// @soak 900

#include <pthread.h>

#include "support/exchange.h"
#include "support/processes.h"

enum { kSet = 20000 };
static struct Parcel* set[2][kSet];
static double end_of_test;

static void* work(void* arg) {
  uint64_t me = (uint64_t)(uintptr_t)arg;
  uint64_t seed = me + 50;
  while (seconds_now() < end_of_test) {
    uint64_t r = next_random(&seed);
    uint64_t count = next_random(&seed) % ((uint64_t)1 << (r % 15));
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t k = next_random(&seed) % kSet;
      if (set[me][k] != NULL) parcel_check(set[me][k]);
      free(set[me][k]);
      set[me][k] = r % 3 == 0 ? NULL : parcel_new(&seed, parcel_size(&seed, 500000));
    }
    if (r / 16 % 40 == 0)
      for (int k = 0; k < kSet; ++k) {
        free(set[me][k]);
        set[me][k] = NULL;
      }
    usleep((useconds_t)((uint64_t)1 << (r / 1024 % 18)) - 1);
  }
  return NULL;
}

int main(int argc, char** argv) {
  end_of_test = seconds_now() + (argc > 1 ? atof(argv[1]) : 4);
  pthread_t t[2];
  for (uintptr_t i = 0; i < 2; ++i) EXPECT(pthread_create(&t[i], NULL, work, (void*)i) == 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < kSet; ++k) {
      if (set[i][k] != NULL) parcel_check(set[i][k]);
      free(set[i][k]);
    }
  return 0;
}
