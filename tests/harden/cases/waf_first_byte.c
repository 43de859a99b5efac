// The first byte of a freed block is written.
// sizes: small page 1 100 30000 260000 large 40000000 huge
// expect: write-after-free
// expect large 40000000 huge: write-after-free | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  p[0] = 'x';
  if (GOOD) free(p);
  return end();
}
