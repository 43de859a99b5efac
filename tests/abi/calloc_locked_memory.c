// calloc of large blocks in a program whose memory is locked: zeroes, and errno as it was.
// @needs locked-memory

#include <sys/mman.h>

#include "support/pattern.h"

int main(void) {
  // A program that may not lock memory tests the rest.
  (void)mlockall(MCL_CURRENT | MCL_FUTURE);
  for (int round = 0; round < 3; ++round) {
    for (size_t size = 1000; size < ((size_t)4 << 20); size *= 3) {
      errno = 4321;
      void* block = calloc(1, size);
      EXPECT(block != NULL && errno == 4321, "size %zu", size);
      check_zero(block, size);
      memset(block, 0xa5, size);
      free(block);
    }
  }
  return 0;
}
