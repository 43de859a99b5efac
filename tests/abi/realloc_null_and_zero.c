// realloc(NULL, n) is malloc(n); realloc(p, 0) frees p and returns NULL, as glibc 2.36 does.

#include <malloc.h>

#include "support/expect.h"
#include "support/memory.h"

int main(void) {
  char* p = realloc(NULL, 100);
  EXPECT(p != NULL);
  memset(p, 1, 100);
  EXPECT(realloc(p, 0) == NULL);
  for (size_t size = 1; size < ((size_t)1 << 28); size *= 3) {
    p = malloc(size);
    OPAQUE(p);
    errno = 77;
    EXPECT(realloc(p, 0) == NULL, "size %zu", size);
    EXPECT(errno == 77, "size %zu", size);
  }
  // It frees: a loop that leaked would hold 4 GiB.
  size_t before = resident_bytes();
  for (int i = 0; i < 4096; ++i) {
    p = malloc(1 << 20);
    memset(p, 1, 1 << 20);
    EXPECT(realloc(p, 0) == NULL);
  }
  EXPECT(resident_bytes() < before + ((size_t)256 << 20));
  p = reallocarray(NULL, 10, 10);
  EXPECT(malloc_usable_size(p) >= 100);
  EXPECT(reallocarray(p, 0, 10) == NULL);
  p = malloc(10);
  EXPECT(reallocarray(p, 10, 0) == NULL);
  return 0;
}
