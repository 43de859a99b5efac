// An array is deleted with half its size.
// sizes: small page large huge
// expect: size-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new[](n);
  operator delete[](p, GOOD ? n : n / 2);
  return end();
}
