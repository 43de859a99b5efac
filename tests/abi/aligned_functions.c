// memalign, aligned_alloc and posix_memalign at every alignment 8 B..1 GiB, with small and odd
// sizes; freed and reallocated by the plain functions.

#include <malloc.h>

#include "support/pattern.h"

static const size_t kSizes[] = {0, 1, 7, 16, 100, 1000, 4096, 5000, 70000, 3 << 20};

static void check_block(char* p, size_t alignment, size_t size) {
  EXPECT(p != NULL, "alignment %zu size %zu", alignment, size);
  EXPECT((uintptr_t)p % alignment == 0, "%p alignment %zu size %zu", p, alignment, size);
  EXPECT(malloc_usable_size(p) >= size, "alignment %zu size %zu", alignment, size);
  if (size == 0) return;
  p[0] = 1;
  p[size - 1] = 2;
}

int main(void) {
  for (size_t alignment = 8; alignment <= ((size_t)1 << 30); alignment *= 2) {
    char* blocks[40];
    size_t lengths[40];
    int n = 0;
    for (size_t i = 0; i < sizeof kSizes / sizeof kSizes[0]; ++i) {
      size_t size = kSizes[i];
      blocks[n] = memalign(alignment, size);
      lengths[n++] = size;
      blocks[n] = aligned_alloc(alignment, size);
      lengths[n++] = size;
      void* p = NULL;
      EXPECT(posix_memalign(&p, alignment, size) == 0, "alignment %zu size %zu", alignment, size);
      blocks[n] = p;
      lengths[n++] = size;
    }
    for (int i = 0; i < n; ++i) {
      check_block(blocks[i], alignment, lengths[i]);
      fill_pattern(blocks[i], lengths[i], (uint64_t)i);
    }
    for (int i = 0; i < n; ++i) check_pattern(blocks[i], lengths[i], (uint64_t)i);
    for (int i = 0; i < n; ++i) {
      if (i % 2 == 0) {
        free(blocks[i]);
        continue;
      }
      size_t larger = lengths[i] * 2 + 100;
      char* q = realloc(blocks[i], larger);
      EXPECT(q != NULL);
      check_prefix(q, lengths[i], lengths[i], (uint64_t)i);
      memset(q, 5, larger);
      free(q);
    }
  }
  return 0;
}
