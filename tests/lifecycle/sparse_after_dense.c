// A program that used what it asked for, and no longer does, is not given memory for what it does
// not touch.
// @only mmt
// @timeout 120

#include <time.h>

#include "support/sparse.h"

enum { kTouched = 2000, kPage = 4096, kDense = 48 << 20 };

static void run(size_t size, size_t count) {
  const struct timespec pause = {.tv_nsec = 300000};
  for (size_t bytes = 0; bytes < kDense; bytes += size) {
    char* const block = malloc(size);
    EXPECT(block != NULL);
    memset(block, 1, size);
  }
  for (size_t i = 0; i < count; ++i) {
    char* const block = malloc(size);
    EXPECT(block != NULL);
    memset(block, 1, kTouched);
    nanosleep(&pause, NULL);
  }
  char text[64];
  snprintf(text, sizeof text, "%zu of %zu bytes after dense ones", count, size);
  // What is prepared before it is seen to be in vain is bounded by the lead, and huge pages'
  // places.
  expect_peak_of(kDense + (8 << 20) + count * 2 * kPage, text);
}

int main(int argc, char** argv) {
  static const char* const kRuns[] = {"65536 3000", "262144 1000", "1048576 300", "4194304 100"};
  if (argc > 1) {
    size_t size, count;
    EXPECT(sscanf(argv[1], "%zu %zu", &size, &count) == 2);
    run(size, count);
    return 0;
  }
  for (size_t i = 0; i < sizeof kRuns / sizeof *kRuns; ++i) run_again(kRuns[i]);
  return 0;
}
