// What calloc gave is deleted as an array.
// sizes: small page large
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = calloc(1, n);
  GOOD ? free(p) : operator delete[](p);
  return end();
}
