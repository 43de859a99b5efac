// A byte is written behind a block, which is reallocated to a byte less.
// sizes: small page large huge 100
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  change(GOOD ? p : p + n);
  p = realloc(p, n - 1);
  free(p);
  return end();
}
