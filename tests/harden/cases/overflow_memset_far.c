// Far more bytes are set than a block has, over its neighbours.
// sizes: small 100 page
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  memset(p, 'x', GOOD ? n : 3 * n);
  free(p);
  return end();
}
