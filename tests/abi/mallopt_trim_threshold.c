// M_TRIM_THRESHOLD: -1 keeps free memory until malloc_trim or another threshold, which also reaches
// a memory thread that sleeps without limit.
// @memory-thread

#include <malloc.h>

#include "support/memory.h"

enum { kBytes = 200 << 20, kBlocks = 2000 };

static void come_and_go(void) {
  static char* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(kBytes / kBlocks);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], 1, kBytes / kBlocks);
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

int main(void) {
  EXPECT(mallopt(M_TRIM_THRESHOLD, -1) == 1);
  come_and_go();
  sleep(3);
  EXPECT(resident_bytes() > kBytes / 10 * 9);
  EXPECT(mallopt(M_TRIM_THRESHOLD, 0) == 1);
  EXPECT(resident_within(kBytes / 10) <= kBytes / 10);

  EXPECT(mallopt(M_TRIM_THRESHOLD, -1) == 1);
  come_and_go();
  EXPECT(malloc_trim(0) == 1);
  EXPECT(resident_bytes() < kBytes / 10);
  return 0;
}
