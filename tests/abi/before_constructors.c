// Allocation before any constructor has run: .preinit_array of the program comes first of all.

#include <malloc.h>

#include "support/pattern.h"

enum { kCount = 300 };
static void* early[kCount];

static size_t size_of(int i) { return (size_t)(i * i + 1); }

static void allocate_early(void) {
  for (int i = 0; i < kCount; ++i) {
    switch (i % 4) {
      case 0:
        early[i] = malloc(size_of(i));
        break;
      case 1:
        early[i] = calloc(1, size_of(i));
        break;
      case 2:
        early[i] = realloc(malloc(1), size_of(i));
        break;
      default:
        early[i] = memalign(4096, size_of(i));
    }
    EXPECT(early[i] != NULL, "block %d", i);
    fill_pattern(early[i], size_of(i), (uint64_t)i);
    free(malloc(size_of(i)));
  }
  void* big = malloc(8 << 20);
  memset(big, 1, 8 << 20);
  free(big);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(void) = allocate_early;

int main(void) {
  for (int i = 0; i < kCount; ++i) {
    check_pattern(early[i], size_of(i), (uint64_t)i);
    if (i % 2) early[i] = realloc(early[i], size_of(i) + 1000);
    check_pattern(early[i], size_of(i), (uint64_t)i);
    free(early[i]);
  }
  return 0;
}
