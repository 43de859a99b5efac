// A block is deleted with a smaller alignment than it was allocated with.
// sizes: small page large 1 100 1000
// expect: size-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new (n, std::align_val_t{256});
  operator delete (p, n, std::align_val_t{GOOD ? 256 : 64});
  return end();
}
