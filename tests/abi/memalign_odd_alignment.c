// memalign as glibc 2.36: an alignment that is no power of two is rounded up to one; one beyond
// half the address space is EINVAL; one that is possible but too large is ENOMEM.

#include <malloc.h>

#include "support/expect.h"

int main(void) {
  static const size_t kOdd[][2] = {{0, 16},  {1, 16},  {3, 16},    {17, 32},
                                   {24, 32}, {48, 64}, {100, 128}, {5000, 8192}};
  for (size_t i = 0; i < sizeof kOdd / sizeof kOdd[0]; ++i) {
    void* p = memalign(kOdd[i][0], 200);
    EXPECT(p != NULL, "alignment %zu", kOdd[i][0]);
    EXPECT((uintptr_t)p % kOdd[i][1] == 0, "%p alignment %zu", p, kOdd[i][0]);
    free(p);
  }
  errno = 0;
  EXPECT(memalign(SIZE_MAX / 2 + 2, 1) == NULL);
  EXPECT(errno == EINVAL);
  errno = 0;
  EXPECT(memalign(SIZE_MAX, 1) == NULL);
  EXPECT(errno == EINVAL);
  errno = 0;
  EXPECT(memalign((size_t)1 << 62, 1) == NULL);
  EXPECT(errno == ENOMEM);
  return 0;
}
