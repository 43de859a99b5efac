// What aligned new gave is deleted by plain delete.
// sizes: small page large
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new(n, std::align_val_t(64));
  GOOD ? operator delete(p, std::align_val_t(64)) : operator delete(p);
  return end();
}
