// A freed block is written long after, but before it is allocated again.
// sizes: small 100
// expect: write-after-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  for (int i = 0; i < 100; ++i) *(volatile char*)malloc(n) = 1;
  p[0] = 'x';
  if (GOOD) free(p);
  for (int i = 0; i < 20000; ++i) free(malloc(n));
  return end();
}
