// A freed block is written, and many others of its size come and go.
// sizes: small page 100 1000 30000
// expect: write-after-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  p[0] = 'x';
  if (GOOD) free(p);
  for (int i = 0; i < 5000; ++i) free(malloc(n));
  return end();
}
