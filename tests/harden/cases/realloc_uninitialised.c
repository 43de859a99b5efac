// A pointer is reallocated that was never set.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* p;
  memset(&p, 0xa5, sizeof p);
  if (GOOD) p = NULL;
  p = realloc(p, n);
  return end();
}
