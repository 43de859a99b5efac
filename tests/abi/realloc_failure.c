// A realloc that fails keeps the block, its contents and its place.

#include "support/pattern.h"

int main(void) {
  static const size_t kSizes[] = {1, 100, 5000, 70000, 1 << 20, 40 << 20};
  for (size_t i = 0; i < sizeof kSizes / sizeof kSizes[0]; ++i) {
    void* p = malloc(kSizes[i]);
    fill_pattern(p, kSizes[i], i);
    errno = 0;
    EXPECT(realloc(p, (size_t)PTRDIFF_MAX - 100) == NULL);
    EXPECT(errno == ENOMEM);
    errno = 0;
    EXPECT(realloc(p, (size_t)1 << 50) == NULL);
    EXPECT(errno == ENOMEM);
    check_pattern(p, kSizes[i], i);
    p = realloc(p, kSizes[i] + 5);
    check_prefix(p, kSizes[i], kSizes[i], i);
    free(p);
  }
  return 0;
}
