// A byte is written behind a block that has grown by little.
// sizes: small page large huge 100
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  for (size_t i = 1; i < 100; ++i) p = realloc(p, n + i);
  change(GOOD ? p : p + n + 99);
  free(p);
  return end();
}
