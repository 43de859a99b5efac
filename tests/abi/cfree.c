// cfree is gone from the headers, but binaries from before 2017 ask for it by its version; they
// must get the one that matches malloc.

#include <dlfcn.h>

#include "support/expect.h"

int main(void) {
  void (*cfree_)(void*) = NULL;
  *(void**)&cfree_ = dlvsym(RTLD_DEFAULT, "cfree", "GLIBC_2.2.5");
  EXPECT(cfree_ != NULL);
  cfree_(NULL);
  for (size_t size = 1; size < ((size_t)1 << 28); size *= 5) {
    char* p = malloc(size);
    p[size - 1] = 1;
    cfree_(p);
  }
  return 0;
}
