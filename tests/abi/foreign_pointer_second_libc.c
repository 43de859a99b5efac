// The next library's free gets a large block from a second libc in a name space of its own
// (dlmopen), and can unmap it. The second libc gets no thread descriptor of its own from glibc
// 2.36, so small blocks of that libc are no fair test.
// @without harden

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
