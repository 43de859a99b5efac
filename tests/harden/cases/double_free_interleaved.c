// A block is freed twice, with another one freed in between.
// sizes: small page large huge
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile a = malloc(n);
  void* volatile b = malloc(n);
  free(a);
  free(b);
  if (!GOOD) free(a);
  return end();
}
