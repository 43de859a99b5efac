// A block of some hundred MiB keeps its last bytes when it shrinks to a size that is no multiple of
// a page. This holds also when the block was made while the heap was to lose no page.
// @only mmt

#include <malloc.h>

#include "support/memory.h"

int main(void) {
  const size_t large = (size_t)400 << 20;
  const size_t shrunk = ((size_t)300 << 20) + 100;
  mallopt(M_TRIM_THRESHOLD, -1);
  char* block = malloc(large);
  EXPECT(block != NULL);
  block[0] = 'x';
  block[shrunk - 1] = 'y';
  mallopt(M_TRIM_THRESHOLD, 128 << 10);
  block = realloc(block, shrunk);
  EXPECT(block != NULL && block[0] == 'x' && block[shrunk - 1] == 'y', "%d %d", block[0],
         block[shrunk - 1]);
  free(block);
  return 0;
}
