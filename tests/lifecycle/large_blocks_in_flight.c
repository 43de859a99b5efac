// Large blocks that come and go do not wait by the hundred to be freed by the memory thread.
// @only mmt layered protocol glibc peer

#include <malloc.h>
#include <sys/resource.h>

#include "support/expect.h"

enum { kRounds = 160 };
static const size_t kBlock = (size_t)8 << 20;

int main(void) {
  for (int i = 0; i < 60000; ++i) free(malloc(40));  // a memory thread is at work
  for (int i = 0; i < kRounds; ++i) {
    char* block = NULL;
    if (i % 4 == 0) block = malloc(kBlock);
    if (i % 4 == 1) block = calloc(1, kBlock);
    if (i % 4 == 2) block = realloc(malloc(16), kBlock);
    if (i % 4 == 3) block = memalign(4096, kBlock);
    EXPECT(block != NULL);
    OPAQUE(block);
    memset(block, i, kBlock);
    free(block);
  }
  struct rusage usage;
  EXPECT(getrusage(RUSAGE_SELF, &usage) == 0);
  EXPECT((size_t)usage.ru_maxrss * 1024 < 20 * kBlock, "%ld KiB at most", usage.ru_maxrss);
  return 0;
}
