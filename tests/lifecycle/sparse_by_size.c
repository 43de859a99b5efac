// The rest of a block does not become resident when its beginning is all that a program touches.
// This holds for blocks of any size.
// @only mmt
// @timeout 120

#include <time.h>

#include "support/sparse.h"

enum { kTouched = 2000, kPage = 4096 };

static void run(size_t size, size_t count, long pause_ns) {
  const struct timespec pause = {.tv_nsec = pause_ns};
  for (size_t i = 0; i < count; ++i) {
    char* const block = malloc(size);
    EXPECT(block != NULL);
    memset(block, 1, kTouched);
    if (pause_ns != 0) nanosleep(&pause, NULL);
  }
  char text[64];
  snprintf(text, sizeof text, "%zu of %zu bytes", count, size);
  // A block of less than two pages shares its pages with others.
  const size_t each = size < 2 * kPage ? size : 2 * kPage;
  expect_peak_of(count * each, text);
}

int main(int argc, char** argv) {
  static const char* const kRuns[] = {
      "2048 20000 0",       "8192 10000 0",       "16384 8000 10000",
      "65536 2000 100000",  "65536 4000 0",       "262144 600 400000",
      "1048576 200 500000", "4194304 80 1000000", "67108864 40 1000000"};
  if (argc > 1) {
    size_t size, count;
    long pause;
    EXPECT(sscanf(argv[1], "%zu %zu %ld", &size, &count, &pause) == 3);
    run(size, count, pause);
    return 0;
  }
  for (size_t i = 0; i < sizeof kRuns / sizeof *kRuns; ++i) run_again(kRuns[i]);
  return 0;
}
