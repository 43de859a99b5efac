// The last byte of a freed block is written.
// sizes: small page 1 13 100 30000 260000 large huge
// expect: write-after-free
// expect large huge: write-after-free | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  p[n - 1] = 'x';
  if (GOOD) free(p);
  return end();
}
