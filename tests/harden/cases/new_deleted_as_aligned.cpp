// What plain new gave is deleted by aligned delete.
// sizes: small page large
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new(n);
  GOOD ? operator delete(p) : operator delete(p, std::align_val_t(16));
  return end();
}
