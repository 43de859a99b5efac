// cfree is gone from the headers, but binaries from before 2017 ask for it by its version; they
// must get the one that matches malloc.

#include "support/expect.h"

__asm__(".symver old_cfree, cfree@GLIBC_2.2.5");
extern void old_cfree(void*);

int main(void) {
  old_cfree(NULL);
  for (size_t size = 1; size < ((size_t)1 << 28); size *= 5) {
    char* p = malloc(size);
    p[size - 1] = 1;
    old_cfree(p);
  }
  return 0;
}
