// Blocks that calloc clears, that realloc grows, and that are aligned become resident as far as
// they are touched; they read as they should.
// @only mmt
// @timeout 120

#include <stdint.h>

#include "support/sparse.h"

enum { kTouched = 2000, kPage = 4096 };

static char* grown(size_t size, size_t i) {
  char* block = malloc(size / 4);
  EXPECT(block != NULL);
  memset(block, (int)i | 1, kTouched);
  block = realloc(block, size / 2);
  EXPECT(block != NULL);
  block = realloc(block, size);
  EXPECT(block != NULL && block[0] == (char)(i | 1) && block[kTouched - 1] == (char)(i | 1));
  return block;
}

static void run(const char* call, size_t size, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    char* block;
    if (strcmp(call, "calloc") == 0) {
      block = calloc(1, size);
      EXPECT(block != NULL && block[0] == 0 && block[kTouched] == 0);
    } else if (strcmp(call, "realloc") == 0) {
      block = grown(size, i);
    } else {
      block = aligned_alloc(kPage, size);
      EXPECT(block != NULL);
    }
    memset(block, 1, kTouched);
  }
  char text[64];
  snprintf(text, sizeof text, "%zu of %zu bytes by %s", count, size, call);
  expect_peak_of(count * 2 * kPage, text);
}

int main(int argc, char** argv) {
  static const char* const kRuns[] = {
      "calloc 16384 8000",  "calloc 65536 3000",   "calloc 262144 600",   "calloc 1048576 200",
      "realloc 65536 3000", "realloc 262144 1000", "realloc 1048576 600", "realloc 4194304 100",
      "aligned 65536 3000", "aligned 1048576 200"};
  if (argc > 1) {
    char call[16];
    size_t size, count;
    EXPECT(sscanf(argv[1], "%15s %zu %zu", call, &size, &count) == 3);
    run(call, size, count);
    return 0;
  }
  for (size_t i = 0; i < sizeof kRuns / sizeof *kRuns; ++i) run_again(kRuns[i]);
  return 0;
}
