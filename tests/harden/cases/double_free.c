// A block is freed twice, at once.
// sizes: small page large huge 1 13 100 1000 1024 30000 260000
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  free(p);
  if (!GOOD) free(p);
  return end();
}
