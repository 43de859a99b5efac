// calloc and reallocarray see that count * size overflows.

#include "support/expect.h"

int main(void) {
  static const size_t kPairs[][2] = {{SIZE_MAX, 2},
                                     {2, SIZE_MAX},
                                     {SIZE_MAX / 2 + 1, 2},
                                     {(size_t)1 << 32, (size_t)1 << 32},
                                     {((size_t)1 << 32) + 1, ((size_t)1 << 32) - 1},
                                     {SIZE_MAX / 16 + 1, 16},
                                     {SIZE_MAX, SIZE_MAX}};
  char* keep = malloc(10);
  memcpy(keep, "contents!", 10);
  for (size_t i = 0; i < sizeof kPairs / sizeof kPairs[0]; ++i) {
    errno = 0;
    EXPECT(calloc(kPairs[i][0], kPairs[i][1]) == NULL, "pair %zu", i);
    EXPECT(errno == ENOMEM, "pair %zu", i);
    errno = 0;
    EXPECT(reallocarray(keep, kPairs[i][0], kPairs[i][1]) == NULL, "pair %zu", i);
    EXPECT(errno == ENOMEM, "pair %zu", i);
    EXPECT(reallocarray(NULL, kPairs[i][0], kPairs[i][1]) == NULL, "pair %zu", i);
  }
  EXPECT(memcmp(keep, "contents!", 10) == 0);
  free(keep);
  // Zero times anything is a block of no bytes.
  void* p = calloc(0, SIZE_MAX);
  EXPECT(p != NULL);
  free(p);
  p = calloc(SIZE_MAX, 0);
  EXPECT(p != NULL);
  free(p);
  return 0;
}
