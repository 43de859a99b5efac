// The end of a string is written behind a block.
// sizes: small page large huge 1 13 100 1000
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  for (int i = 0; !GOOD && p[n] == 0 && i < 1000; ++i) p = malloc(n);
  p[GOOD ? n - 1 : n] = 0;
  free(p);
  return end();
}
