// An aligned block is freed with another size than it has.
// sizes: small page large
// expect: size-mismatch
#include <dlfcn.h>

#include "harden/case.h"

typedef void FreeAlignedSized(void*, size_t, size_t);
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  FreeAlignedSized* give = (FreeAlignedSized*)dlsym(RTLD_DEFAULT, "free_aligned_sized");
  void* volatile p = aligned_alloc(64, n);
  give(p, 64, GOOD ? n : n + 64);
  return end();
}
