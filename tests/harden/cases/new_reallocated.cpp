// What new gave is reallocated.
// sizes: small page large huge
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new(n);
  if (GOOD) {
    operator delete(p);
    p = malloc(n);
  }
  p = realloc(p, n + n / 2);
  free(p);
  return end();
}
