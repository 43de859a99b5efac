// A block of aligned new is deleted with another size.
// sizes: small page large
// expect: size-mismatch
#include <new>

#include "harden/case.h"

constexpr std::align_val_t kAsked{64};
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new(n, kAsked);
  operator delete(p, GOOD ? n : n + 64, kAsked);
  return end();
}
