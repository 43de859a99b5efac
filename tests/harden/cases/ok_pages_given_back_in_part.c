// Pages of freed blocks go back to the system in part.
// sizes: 48 3216 20000
// expect: ok
#include <malloc.h>

#include "harden/case.h"

enum { kBytes = 20 << 20, kKept = 97 };

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const size_t count = kBytes / (n + 16);
  char** blocks = malloc(count * sizeof *blocks);
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < count; ++i) blocks[i] = memset(malloc(n), 3, n);
    for (size_t i = 0; i < count; ++i)
      if (i % kKept != 0) free(blocks[i]);
    malloc_trim(0);
    for (size_t i = 0; i < count; ++i)
      if (i % kKept != 0) blocks[i] = memset(malloc(n), 5, n);
    for (size_t i = 0; i < count; ++i) free(blocks[i]);
  }
  free(blocks);
  return end();
}
