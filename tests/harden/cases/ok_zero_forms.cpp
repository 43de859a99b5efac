// Objects of no bytes come and go by all names.
// sizes: 0
// expect: ok
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  operator delete(operator new(n));
  operator delete(operator new(n), n);
  operator delete[](operator new[](n), n);
  delete[] new char[n];
  delete[] new long[n];
  operator delete(operator new(n, std::align_val_t(64)), n, std::align_val_t(64));
  free(calloc(n, 8));
  free(realloc(nullptr, n));
  free(aligned_alloc(64, n));
  return end();
}
