// A large block from a second libc in a name space of its own (dlmopen) goes to the next free,
// which can unmap it. glibc 2.36 gives the second libc no thread descriptor of its own, so small
// blocks of it are no fair test.

#include <dlfcn.h>

#include "support/expect.h"

int main(void) {
  void* other = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
  EXPECT(other != NULL, "%s", dlerror());
  void* (*other_malloc)(size_t) = NULL;
  *(void**)&other_malloc = dlsym(other, "malloc");
  for (int i = 0; i < 20; ++i) {
    char* p = other_malloc(4 << 20);
    EXPECT(p != NULL);
    memset(p, 1, 4 << 20);
    free(p);
    free(malloc(4 << 20));
  }
  dlclose(other);
  return 0;
}
