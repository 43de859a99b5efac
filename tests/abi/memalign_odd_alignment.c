// memalign does as in glibc 2.36. An alignment that is no power of two is rounded up to one. An
// alignment beyond half the address space is EINVAL. An alignment that is possible but too large is
// ENOMEM.

#include <malloc.h>

#include "support/expect.h"

// Called through this, so that no compiler reasons about such alignments.
static void* (*volatile call)(size_t, size_t) = memalign;

int main(void) {
  static const size_t kOdd[][2] = {{0, 16},  {1, 16},  {3, 16},    {17, 32},
                                   {24, 32}, {48, 64}, {100, 128}, {5000, 8192}};
  for (size_t i = 0; i < sizeof kOdd / sizeof kOdd[0]; ++i) {
    void* p = call(kOdd[i][0], 200);
    EXPECT(p != NULL, "alignment %zu", kOdd[i][0]);
    EXPECT((uintptr_t)p % kOdd[i][1] == 0, "%p alignment %zu", p, kOdd[i][0]);
    free(p);
  }
  static const size_t kTooLarge[][2] = {{SIZE_MAX / 2 + 2, EINVAL},
                                        {SIZE_MAX, EINVAL},
                                        {SIZE_MAX / 2 + 1, ENOMEM},
                                        {(size_t)1 << 62, ENOMEM}};
  for (size_t i = 0; i < 3; ++i) {
    size_t alignment = kTooLarge[i][0];
    errno = 0;
    EXPECT(call(alignment, 1) == NULL);
    EXPECT((size_t)errno == kTooLarge[i][1], "alignment %zu", alignment);
  }
  return 0;
}
