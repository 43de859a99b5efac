// A program may ask for far more memory than the machine has and touch little, as address space is
// not memory. The default overcommit of Linux allows this block by block.

#include "support/memory.h"

int main(void) {
  enum { kCount = 32 };
  char* p[kCount];
  size_t before = resident_bytes();
  int got = 0;
  for (; got < kCount; ++got) {
    p[got] = malloc((size_t)4 << 30);
    if (p[got] == NULL) break;
    p[got][0] = 1;
    p[got][((size_t)4 << 30) - 1] = 1;
  }
  EXPECT(got >= 4, "%d", got);
  EXPECT(resident_bytes() - before < (size_t)300 << 20, "%zu", resident_bytes() - before);
  for (int i = 0; i < got; ++i) free(p[i]);
  return 0;
}
