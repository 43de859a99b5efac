// A byte is written behind a block, which is freed after many others.
// sizes: small page 100
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  change(GOOD ? p : p + n);
  for (int i = 0; i < 20000; ++i) free(malloc(n));
  free(p);
  return end();
}
