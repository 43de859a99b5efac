// valloc is aligned to the page; pvalloc rounds its size up to whole pages too.

#include <malloc.h>

#include "support/expect.h"

int main(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t size = 0; size < 300000; size = size * 2 + 1) {
    char* v = valloc(size);
    char* w = pvalloc(size);
    EXPECT(v != NULL && w != NULL, "size %zu", size);
    EXPECT((uintptr_t)v % page == 0 && (uintptr_t)w % page == 0, "size %zu", size);
    size_t whole = (size + page - 1) / page * page;
    EXPECT(malloc_usable_size(v) >= size, "size %zu", size);
    EXPECT(malloc_usable_size(w) >= whole, "size %zu", size);
    memset(v, 1, size);
    memset(w, 2, whole);
    free(v);
    free(w);
  }
  return 0;
}
