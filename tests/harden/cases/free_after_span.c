// A block is freed once more when all of its size have been freed and given back.
// sizes: small page 30000 large
// expect: double-free | invalid-free
#include <malloc.h>

#include "harden/case.h"

static char* blocks[4096];
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const size_t count = n < 30000 ? 4096 : 64;
  for (size_t i = 0; i < count; ++i) blocks[i] = malloc(n);
  for (size_t i = 0; i < count; ++i) free(blocks[i]);
  malloc_trim(0);
  if (!GOOD) free(blocks[count / 2]);
  return end();
}
