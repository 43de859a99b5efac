// A block is freed by realloc, which moves it, and by free.
// sizes: small page large huge
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  void* volatile moved = realloc(p, 3 * n);
  free(moved);
  if (!GOOD) free(p);
  return end();
}
