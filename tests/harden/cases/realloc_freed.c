// A freed block is reallocated.
// sizes: small page large huge
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  if (!GOOD) free(p);
  p = realloc(p, 2 * n);
  if (GOOD) free(p);
  return end();
}
