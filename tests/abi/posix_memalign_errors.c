// posix_memalign refuses alignments that are no power of two or no multiple of a pointer, returns
// the error, touches neither errno nor the result.

#include "support/expect.h"

int main(void) {
  static const size_t kBad[] = {0,
                                1,
                                2,
                                3,
                                4,
                                5,
                                7,
                                9,
                                12,
                                24,
                                48,
                                100,
                                4095,
                                4097,
                                6144,
                                SIZE_MAX,
                                SIZE_MAX - 1,
                                (SIZE_MAX >> 1) + 2};
  for (size_t i = 0; i < sizeof kBad / sizeof kBad[0]; ++i) {
    void* p = &p;
    errno = 31;
    EXPECT(posix_memalign(&p, kBad[i], 100) == EINVAL, "alignment %zu", kBad[i]);
    EXPECT(p == &p, "alignment %zu", kBad[i]);
    EXPECT(errno == 31, "alignment %zu", kBad[i]);
  }
  void* p = &p;
  EXPECT(posix_memalign(&p, 4096, SIZE_MAX - 4096) == ENOMEM);
  EXPECT(p == &p);
  EXPECT(posix_memalign(&p, (size_t)1 << 62, 8) == ENOMEM);
  EXPECT(p == &p);
  EXPECT(posix_memalign(&p, sizeof(void*), 8) == 0);
  free(p);
  return 0;
}
