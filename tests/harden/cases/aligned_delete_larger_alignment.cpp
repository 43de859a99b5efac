// A block is deleted with a larger alignment than was asked for, though its address has it.
// sizes: small page large 1
// expect: size-mismatch
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = operator new[](n, std::align_val_t{32});
  while (reinterpret_cast<uintptr_t>(p) % 64 != 0) p = operator new[](n, std::align_val_t{32});
  operator delete[](p, std::align_val_t{GOOD ? 32 : 64});
  return end();
}
