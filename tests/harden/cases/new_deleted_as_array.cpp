// An object is deleted as an array.
// sizes: small page large huge
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new(n);
  GOOD ? operator delete(p) : operator delete[](p);
  return end();
}
