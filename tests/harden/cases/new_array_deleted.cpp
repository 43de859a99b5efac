// An array is deleted as one object.
// sizes: small page large huge
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = new char[n];
  GOOD ? operator delete[](p) : operator delete(p);
  return end();
}
