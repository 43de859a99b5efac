// The __libc_* entry points serve from the same heap as the plain names: each may free, resize or
// measure what the other gave.

#include <dlfcn.h>
#include <malloc.h>

#include "support/pattern.h"

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
extern void* __libc_valloc(size_t);
extern void* __libc_pvalloc(size_t);
extern void __libc_free(void*);

static void check_and_free(void* p, size_t size, int way) {
  EXPECT(p != NULL && malloc_usable_size(p) >= size);
  fill_pattern(p, size, 5);
  if (way % 2) {
    p = way % 4 == 1 ? realloc(p, size + 3000) : __libc_realloc(p, size + 3000);
    check_prefix(p, size, size, 5);
  }
  if (way % 3)
    free(p);
  else
    __libc_free(p);
}

int main(void) {
  int (*posix_memalign_)(void**, size_t, size_t) = NULL;
  *(void**)&posix_memalign_ = dlsym(RTLD_DEFAULT, "__posix_memalign");
  for (size_t size = 1; size < (4 << 20); size = size * 2 + 5) {
    for (int way = 0; way < 12; ++way) {
      check_and_free(__libc_malloc(size), size, way);
      check_and_free(malloc(size), size, way);
      void* zeroed = __libc_calloc(1, size);
      check_zero(zeroed, size);
      check_and_free(zeroed, size, way);
      void* aligned = __libc_memalign(1024, size);
      EXPECT((uintptr_t)aligned % 1024 == 0);
      check_and_free(aligned, size, way);
      check_and_free(__libc_valloc(size), size, way);
      check_and_free(__libc_pvalloc(size), size, way);
      if (posix_memalign_ != NULL) {
        void* p = NULL;
        EXPECT(posix_memalign_(&p, 64, size) == 0);
        check_and_free(p, size, way);
      }
    }
  }
  __libc_free(NULL);
  EXPECT(__libc_realloc(malloc(10), 0) == NULL);
  return 0;
}
