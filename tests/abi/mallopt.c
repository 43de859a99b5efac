// mallopt takes the parameters of glibc and returns 1 for values it can take; allocation goes on.

#include <malloc.h>

#include "support/pattern.h"

int main(void) {
  EXPECT(mallopt(M_MXFAST, 64) == 1);
  EXPECT(mallopt(M_TRIM_THRESHOLD, 1 << 20) == 1);
  EXPECT(mallopt(M_TRIM_THRESHOLD, -1) == 1);
  EXPECT(mallopt(M_TRIM_THRESHOLD, 0) == 1);
  EXPECT(mallopt(M_TOP_PAD, 65536) == 1);
  EXPECT(mallopt(M_MMAP_THRESHOLD, 1 << 20) == 1);
  EXPECT(mallopt(M_MMAP_MAX, 1000) == 1);
  EXPECT(mallopt(M_CHECK_ACTION, 1) == 1);
  EXPECT(mallopt(M_PERTURB, 0) == 1);
  EXPECT(mallopt(M_ARENA_TEST, 2) == 1);
  EXPECT(mallopt(M_ARENA_MAX, 1) == 1);
  EXPECT(mallopt(M_MMAP_MAX, 0) == 1);
  EXPECT(mallopt(M_MXFAST, -1) == 0);
  EXPECT(mallopt(M_MXFAST, 161) == 0);
  EXPECT(mallopt(12345, 1) == 1);
  for (uint64_t i = 0; i < 200; ++i) {
    size_t size = 1 + i * i * 37;
    void* p = malloc(size);
    EXPECT(p != NULL);
    fill_pattern(p, size, i);
    check_pattern(p, size, i);
    free(p);
  }
  return 0;
}
