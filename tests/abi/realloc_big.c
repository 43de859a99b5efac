// Growing and shrinking blocks of 128 KiB to 512 MiB: contents stay, and what is cut off returns.
// @memory-thread

#include <malloc.h>

#include "support/memory.h"
#include "support/pattern.h"

int main(void) {
  size_t size = 128 << 10;
  char* p = malloc(size);
  fill_pattern(p, size, 9);
  while (size < ((size_t)512 << 20)) {
    size_t next = size + size / 3 + 4097;
    p = realloc(p, next);
    EXPECT(p != NULL, "to %zu", next);
    check_prefix(p, size, size, 9);
    fill_pattern(p, next, 9);
    size = next;
  }
  memset(p, 3, size);
  size_t full = resident_bytes();
  p = realloc(p, 1 << 20);
  EXPECT(p != NULL);
  for (int i = 0; i < (1 << 20); ++i) EXPECT(p[i] == 3);
  // At once or by the allocator's own decay, without any further call.
  for (int i = 0; i < 100 && resident_bytes() > full - ((size_t)256 << 20); ++i) usleep(50000);
  EXPECT(resident_bytes() < full - ((size_t)256 << 20), "nothing came back: %zu of %zu",
         resident_bytes(), full);
  p = realloc(p, 100);
  for (int i = 0; i < 100; ++i) EXPECT(p[i] == 3);
  free(p);
  return 0;
}
