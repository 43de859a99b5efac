// An array that new gave is freed.
// sizes: small page large huge
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = new char[n];
  GOOD ? operator delete[](p) : free(p);
  return end();
}
