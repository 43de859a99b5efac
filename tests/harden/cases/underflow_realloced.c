// The byte before a block is written, which is reallocated afterwards.
// sizes: small 100 page
// expect: underflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  change(GOOD ? p : p - 1);
  p = realloc(p, 3 * n);
  free(p);
  return end();
}
