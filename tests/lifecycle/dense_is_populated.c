// A program that uses what it asks for finds most of it resident before the first touch. This holds
// from the first MiBs of a size on, with a memory thread and without.
// @only mmt

#include <stdint.h>
#include <sys/mman.h>

#include "support/sparse.h"

enum { kPage = 4096, kLearning = 4 << 20, kSeen = 16 << 20 };

static void run(size_t size) {
  size_t pages = 0, resident = 0;
  for (size_t bytes = 0; bytes < kLearning + kSeen; bytes += size) {
    char* const block = malloc(size);
    EXPECT(block != NULL);
    unsigned char here = 0;
    if (bytes >= kLearning && (uintptr_t)block % kPage == 0) {
      EXPECT(mincore(block, 1, &here) == 0);
      ++pages;
      resident += here & 1;
    }
    memset(block, 1, size);
  }
  EXPECT(pages > 100 && resident * 10 > pages * 8, "%zu bytes: %zu of %zu pages", size, resident,
         pages);
}

int main(int argc, char** argv) {
  static const char* const kRuns[] = {"64", "256", "1024", "4096"};
  if (argc > 1) {
    run((size_t)atol(argv[1]));
    return 0;
  }
  for (size_t i = 0; i < sizeof kRuns / sizeof *kRuns; ++i) run_again(kRuns[i]);
  return 0;
}
