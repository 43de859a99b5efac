// malloc_usable_size: 0 for NULL, at least what was asked, stable, and all of it may be written
// without touching the neighbours.

#include <malloc.h>

#include "support/pattern.h"

int main(void) {
  enum { kCount = 3000 };
  static void* p[kCount];
  static size_t usable[kCount];
  EXPECT(malloc_usable_size(NULL) == 0);
  for (uint64_t i = 0; i < kCount; ++i) {
    size_t size = i < 2000 ? i : (i - 2000) * 331;
    p[i] = malloc(size);
    usable[i] = malloc_usable_size(p[i]);
    EXPECT(usable[i] >= size, "size %zu usable %zu", size, usable[i]);
    fill_pattern(p[i], usable[i], i);
  }
  for (uint64_t i = 0; i < kCount; ++i) {
    EXPECT(malloc_usable_size(p[i]) == usable[i]);
    check_pattern(p[i], usable[i], i);
  }
  for (uint64_t i = 0; i < kCount; ++i) {
    void* q = realloc(p[i], usable[i] + 1);
    EXPECT(malloc_usable_size(q) >= usable[i] + 1);
    check_prefix(q, usable[i], usable[i], i);
    free(q);
  }
  return 0;
}
