// malloc_trim works: memory freed between blocks that stay returns to the system at the call, and
// what stays is intact.
// @without layered

#include <malloc.h>

#include "support/memory.h"
#include "support/pattern.h"

int main(void) {
  enum { kCount = 60000, kSize = 4000, kKeepEach = 1000 };
  static void* p[kCount];
  const int answer = malloc_trim(0);
  EXPECT(answer == 0 || answer == 1);
  size_t start = resident_bytes();
  for (uint64_t i = 0; i < kCount; ++i) {
    p[i] = malloc(kSize);
    fill_pattern(p[i], kSize, i);
  }
  size_t full = resident_bytes();
  for (uint64_t i = 0; i < kCount; ++i)
    if (i % kKeepEach != 0) free(p[i]);
  EXPECT(malloc_trim(0) == 1);
  size_t trimmed = resident_bytes();
  // A tenth may stay: the pages of the kept blocks and what the allocator caches.
  EXPECT(trimmed < start + (full - start) / 10, "start %zu full %zu trimmed %zu", start, full,
         trimmed);
  for (uint64_t i = 0; i < kCount; i += kKeepEach) check_pattern(p[i], kSize, i);
  for (uint64_t i = 0; i < kCount; i += kKeepEach) free(p[i]);
  malloc_trim((size_t)1 << 20);
  malloc_trim(SIZE_MAX);
  for (int i = 0; i < 1000; ++i) {
    char* q = calloc(1, 5000);
    EXPECT(q != NULL);
    check_zero(q, 5000);
    free(q);
  }
  return 0;
}
