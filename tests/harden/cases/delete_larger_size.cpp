// A block is deleted with a size larger than it has.
// sizes: small page large huge 1 100 30000
// expect: size-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new(n);
  operator delete(p, GOOD ? n : n + 8);
  return end();
}
