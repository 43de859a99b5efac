// Memory does not grow with the number of threads that have been. A thousand short-lived threads
// run, a few at a time, and each leaves blocks for main.
// @soak 100000

#include <pthread.h>

#include "support/memory.h"
#include "support/pattern.h"

enum { kAtOnce = 8, kBlocks = 50 };

static void* work(void* arg) {
  void** out = arg;
  for (uint64_t i = 0; i < kBlocks; ++i) {
    free(malloc(1000));
    out[i] = malloc(100 + i * 10);
    fill_pattern(out[i], 100 + i * 10, i);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int total = argc > 1 ? atoi(argv[1]) : 1000;
  size_t settled = 0;
  for (int done = 0; done < total; done += kAtOnce) {
    pthread_t threads[kAtOnce];
    void* blocks[kAtOnce][kBlocks];
    for (int t = 0; t < kAtOnce; ++t) EXPECT(!pthread_create(&threads[t], NULL, work, blocks[t]));
    for (int t = 0; t < kAtOnce; ++t) {
      pthread_join(threads[t], NULL);
      for (uint64_t i = 0; i < kBlocks; ++i) {
        check_pattern(blocks[t][i], 100 + i * 10, i);
        free(blocks[t][i]);
      }
    }
    // By then all clients there ever are have had their share of most sizes.
    if (done / kAtOnce == total / kAtOnce / 10) settled = resident_bytes();
  }
  EXPECT(resident_bytes() < settled + (12 << 20), "%zu then %zu", settled, resident_bytes());
  return 0;
}
