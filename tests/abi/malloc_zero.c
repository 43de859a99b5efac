// malloc(0) and its kin give distinct blocks that can be freed.

#include "support/expect.h"

int main(void) {
  enum { kCount = 1000 };
  void* blocks[kCount];
  for (int i = 0; i < kCount; ++i) {
    switch (i % 4) {
      case 0:
        blocks[i] = malloc(0);
        break;
      case 1:
        blocks[i] = calloc(0, 8);
        break;
      case 2:
        blocks[i] = realloc(NULL, 0);
        break;
      default:
        EXPECT(posix_memalign(&blocks[i], 64, 0) == 0);
    }
    EXPECT(blocks[i] != NULL, "call %d", i);
    EXPECT((uintptr_t)blocks[i] % 16 == 0);
  }
  for (int i = 0; i < kCount; ++i)
    for (int j = 0; j < i; ++j) EXPECT(blocks[i] != blocks[j], "%d and %d", i, j);
  for (int i = 0; i < kCount; ++i) free(blocks[i]);
  return 0;
}
