// Blocks of all alignments are freed.
// sizes: 1 small 100 page 30000 large
// expect: ok
#include <malloc.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bool holds = true;
  for (size_t alignment = 8; alignment <= 8 << 20; alignment *= 2) {
    void* a = memalign(alignment, n);
    void* b = NULL;
    holds = holds && posix_memalign(&b, alignment, n) == 0 && b != NULL;
    holds = holds && ((uintptr_t)a | (uintptr_t)b) % alignment == 0;
    memset(a, 's', n);
    memset(b, 's', n);
    free(a);
    b = realloc(b, 2 * n);
    free(b);
  }
  free(valloc(n));
  free(pvalloc(n));
  return end_if(holds);
}
