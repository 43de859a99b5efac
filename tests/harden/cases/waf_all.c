// All of a freed block is written.
// sizes: small page 1 13 100 1000 30000 260000 large
// expect: write-after-free
// expect large: write-after-free | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  memset(p, 'x', n);
  if (GOOD) free(p);
  return end();
}
