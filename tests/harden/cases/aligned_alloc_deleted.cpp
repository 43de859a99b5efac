// What aligned_alloc gave is deleted.
// sizes: small page large
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = aligned_alloc(64, n);
  GOOD ? free(p) : operator delete(p, std::align_val_t(64));
  return end();
}
