// A large calloc costs memory only where it is touched: sparse tables rely on it.

#include "support/expect.h"
#include "support/memory.h"

int main(void) {
  const size_t kSize = (size_t)1 << 30;
  for (int round = 0; round < 3; ++round) {
    size_t before = resident_bytes();
    char* p = calloc(kSize, 1);
    EXPECT(p != NULL);
    for (size_t i = 0; i < kSize; i += (size_t)64 << 20) {
      EXPECT(p[i] == 0);
      p[i] = 1;
    }
    size_t grown = resident_bytes() - before;
    EXPECT(grown < ((size_t)100 << 20), "resident grew by %zu", grown);
    free(p);
  }
  return 0;
}
