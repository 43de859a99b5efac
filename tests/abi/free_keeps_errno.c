// free leaves errno alone for every kind of block; free(NULL) does nothing.

#include <malloc.h>

#include "support/expect.h"

int main(void) {
  errno = 55;
  free(NULL);
  EXPECT(errno == 55);
  for (size_t size = 1; size < ((size_t)1 << 30); size = size * 2 + 1) {
    for (int i = 0; i < 8; ++i) {
      char* p = i % 2 ? malloc(size) : memalign(256, size);
      p[0] = 1;
      errno = 1000 + i;
      free(p);
      EXPECT(errno == 1000 + i, "size %zu", size);
    }
  }
  enum { kMany = 100000 };
  static void* many[kMany];
  for (int i = 0; i < kMany; ++i) many[i] = malloc(64 + (size_t)(i % 500));
  errno = 12345;
  for (int i = 0; i < kMany; ++i) free(many[i]);
  EXPECT(errno == 12345);
  return 0;
}
