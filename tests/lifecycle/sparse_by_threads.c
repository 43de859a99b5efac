// Several threads' blocks that are hardly touched stay so.
// @only mmt
// @timeout 120

#include <pthread.h>
#include <time.h>

#include "support/sparse.h"

enum { kThreads = 4, kTouched = 2000, kPage = 4096 };

static size_t size, count;
static int clears;

static void* run(void* unused) {
  const struct timespec pause = {.tv_nsec = 100000};
  for (size_t i = 0; i < count; ++i) {
    char* const block = clears ? calloc(1, size) : malloc(size);
    EXPECT(block != NULL);
    memset(block, 1, kTouched);
    nanosleep(&pause, NULL);
  }
  return unused;
}

int main(int argc, char** argv) {
  static const char* const kRuns[] = {"0 65536 1000", "0 1048576 200", "1 65536 700",
                                      "1 262144 200"};
  if (argc > 1) {
    EXPECT(sscanf(argv[1], "%d %zu %zu", &clears, &size, &count) == 3);
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i) EXPECT(pthread_create(&threads[i], NULL, run, NULL) == 0);
    for (int i = 0; i < kThreads; ++i) EXPECT(pthread_join(threads[i], NULL) == 0);
    expect_peak_of(kThreads * count * 2 * kPage, argv[1]);
    return 0;
  }
  for (size_t i = 0; i < sizeof kRuns / sizeof *kRuns; ++i) run_again(kRuns[i]);
  return 0;
}
