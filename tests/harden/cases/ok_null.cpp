// Null pointers are freed by all names.
// sizes: small
// expect: ok
#include <malloc.h>

#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile none = nullptr;
  free(none);
  operator delete(none);
  operator delete(none, n);
  operator delete[](none);
  operator delete[](none, n);
  operator delete(none, std::align_val_t(64));
  operator delete(none, n, std::align_val_t(64));
  free(realloc(none, n));
  return end_if(malloc_usable_size(none) == 0);
}
