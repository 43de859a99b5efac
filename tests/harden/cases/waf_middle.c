// A bit in the middle of a freed block is turned.
// sizes: small page 100 1000 30000 large
// expect: write-after-free
// expect large: write-after-free | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  p[n / 2] ^= 1;
  if (GOOD) free(p);
  return end();
}
