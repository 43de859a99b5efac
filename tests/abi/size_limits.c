// Requests that cannot exist give NULL and ENOMEM from every function, and leave the heap sound.

#include <malloc.h>

#include "support/expect.h"

static const size_t kHuge[] = {
    (size_t)PTRDIFF_MAX + 1, (size_t)PTRDIFF_MAX, SIZE_MAX,        SIZE_MAX - 7,
    SIZE_MAX - 15,           SIZE_MAX - 4095,     SIZE_MAX - 4096, SIZE_MAX / 2 + 4096,
    (size_t)1 << 62,         (size_t)1 << 60,     (size_t)1 << 48};

#define EXPECT_ENOMEM(call)                           \
  do {                                                \
    errno = 0;                                        \
    void* p_ = (call);                                \
    EXPECT(p_ == NULL, #call " size %zu", size);      \
    EXPECT(errno == ENOMEM, #call " size %zu", size); \
  } while (0)

int main(void) {
  void* keep = malloc(100);
  memset(keep, 7, 100);
  for (size_t i = 0; i < sizeof kHuge / sizeof kHuge[0]; ++i) {
    size_t size = kHuge[i];
    EXPECT_ENOMEM(malloc(size));
    EXPECT_ENOMEM(calloc(1, size));
    EXPECT_ENOMEM(calloc(size, 1));
    EXPECT_ENOMEM(realloc(NULL, size));
    EXPECT_ENOMEM(realloc(keep, size));
    EXPECT_ENOMEM(reallocarray(keep, size, 1));
    EXPECT_ENOMEM(memalign(64, size));
    EXPECT_ENOMEM(memalign(1 << 20, size));
    EXPECT_ENOMEM(aligned_alloc(4096, size));
    EXPECT_ENOMEM(valloc(size));
    EXPECT_ENOMEM(pvalloc(size));
    void* untouched = &size;
    EXPECT(posix_memalign(&untouched, 64, size) == ENOMEM, "size %zu", size);
    EXPECT(untouched == &size);
  }
  for (int i = 0; i < 100; ++i) EXPECT(((char*)keep)[i] == 7);
  free(keep);
  void* after = malloc(1000);
  EXPECT(after != NULL);
  free(after);
  return 0;
}
