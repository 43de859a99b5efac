// A block that is to shrink is not moved when the system refuses memory and all free blocks have
// the size of that block. Another block would be no smaller.
// @only mmt

#include <malloc.h>
#include <sys/resource.h>

#include "support/processes.h"

enum { kMost = 100000, kFirst = 4000, kBytes = 20000, kShrunk = 10000 };

static void* blocks[kMost];

int main(void) {
  int count = 0;
  for (; count < kFirst; ++count) EXPECT((blocks[count] = malloc(kBytes)) != NULL);
  const struct rlimit limit = {10 << 20, RLIM_INFINITY};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  while (count < kMost && (blocks[count] = malloc(kBytes)) != NULL) ++count;
  EXPECT(count < kMost);
  for (int i = 0; i < count; i += 2) free(blocks[i]);
  int stayed = 0;
  for (int i = 1; i < count; i += 2) {
    const size_t before = malloc_usable_size(blocks[i]);
    fill_pattern(blocks[i], kShrunk, (size_t)i);
    void* const block = realloc(blocks[i], kShrunk);
    EXPECT(block != NULL);
    EXPECT(block == blocks[i] || malloc_usable_size(block) < before, "block %d", i);
    check_pattern(block, kShrunk, (size_t)i);
    stayed += block == blocks[i];
    blocks[i] = block;
  }
  EXPECT(stayed > count / 4, "%d of %d", stayed, count);
  for (int i = 1; i < count; i += 2) free(blocks[i]);
  return 0;
}
