// An allocation that succeeds leaves errno alone (programs test errno after library calls).

#include <malloc.h>

#include "support/expect.h"

int main(void) {
  enum { kMany = 20000 };
  static void* many[kMany];
  errno = 4321;
  for (int i = 0; i < kMany; ++i) {
    many[i] = malloc((size_t)(i % 3000));
    EXPECT(errno == 4321, "block %d", i);
  }
  for (int i = 0; i < kMany; i += 2) {
    many[i] = realloc(many[i], (size_t)(1 + i * 13 % 50000));
    EXPECT(errno == 4321, "block %d", i);
  }
  for (size_t size = 1 << 16; size < ((size_t)1 << 30); size *= 2) {
    void* p = calloc(1, size);
    EXPECT(p != NULL && errno == 4321, "size %zu", size);
    p = realloc(p, size + size / 2);
    EXPECT(p != NULL && errno == 4321, "size %zu", size);
    free(p);
    EXPECT(errno == 4321, "size %zu", size);
  }
  for (int i = 0; i < kMany; ++i) free(many[i]);
  return 0;
}
