// A block is deleted with an alignment that it does not have.
// sizes: small page large
// expect: size-mismatch
#include <new>

#include "harden/case.h"

constexpr std::align_val_t kAsked{32};
constexpr std::align_val_t kTold{size_t{1} << 30};
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new(n, kAsked);
  if (reinterpret_cast<uintptr_t>(p) % size_t(kTold) == 0) p = operator new(n, kAsked);
  operator delete(p, n, GOOD ? kAsked : kTold);
  return end();
}
