// A block is freed with another size than it has.
// sizes: small page large huge
// expect: size-mismatch
#include <dlfcn.h>

#include "harden/case.h"

typedef void FreeSized(void*, size_t);
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  FreeSized* free_sized = (FreeSized*)dlsym(RTLD_DEFAULT, "free_sized");
  void* volatile p = malloc(n);
  free_sized(p, GOOD ? n : n + 1);
  return end();
}
