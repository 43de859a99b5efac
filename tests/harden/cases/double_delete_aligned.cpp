// An object of aligned new is deleted twice.
// expect: double-free
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new(n, std::align_val_t(256));
  operator delete(p, n, std::align_val_t(256));
  if (!GOOD) operator delete(p, n, std::align_val_t(256));
  return end();
}
