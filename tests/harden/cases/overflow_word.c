// Eight bytes behind a block are written.
// sizes: small page large huge 1 13 16 100 1000 1016 1024 5000 30000 260000
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n + 8 * GOOD);
  memset(p + n, 'x', 8);
  free(p);
  return end();
}
