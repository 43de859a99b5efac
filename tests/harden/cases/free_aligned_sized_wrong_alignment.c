// An aligned block is freed with an alignment that it does not have.
// sizes: small page large
// expect: size-mismatch
#include <dlfcn.h>

#include "harden/case.h"

typedef void FreeAlignedSized(void*, size_t, size_t);
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  FreeAlignedSized* give = (FreeAlignedSized*)dlsym(RTLD_DEFAULT, "free_aligned_sized");
  const size_t told = (size_t)1 << 30;
  void* volatile p = aligned_alloc(64, n);
  if ((uintptr_t)p % told == 0) p = aligned_alloc(64, n);
  give(p, GOOD ? 64 : told, n);
  return end();
}
