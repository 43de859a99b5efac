// A block of no bytes is freed twice.
// sizes: 0
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  free(p);
  if (!GOOD) free(p);
  return end();
}
