// @ours-only
// Sizes that overflow are failures before any chunk is asked for; with `int` sizes, negative ones.
#include <limits.h>
#include <setjmp.h>

#include "obstack/obstack_case.h"

static jmp_buf failed;
static void leave(void) { longjmp(failed, 1); }

// Without a byte in front, the sums end just below and just above the largest that there is.
static const LENGTH kTooMuch[] = {
#if MMT_OBSTACK_INTERFACE == 2
    SIZE_MAX,
    SIZE_MAX - 1,
    SIZE_MAX - 115,
    SIZE_MAX - 116,
    (size_t)PTRDIFF_MAX + 1,
    (size_t)PTRDIFF_MAX - 114,
#else
    -1,
    -2,
    -1000,
    INT_MIN,
#endif
};

int main(void) {
  static struct obstack h;
  obstack_alloc_failed_handler = leave;
  obstack_specify_allocation(&h, 0, 16, counted_alloc, counted_free);
  static volatile size_t have;
  have = 0;
  while (have < 20000) {
    static volatile size_t at;
    const long chunks = all_chunks;
    at = 0;
    while (at < sizeof kTooMuch / sizeof kTooMuch[0]) {
      static volatile int way;
      way = 0;
      if (setjmp(failed) != 0) way = way + 1;
      if (way == 0) obstack_grow(&h, "", kTooMuch[at]);
      if (way == 1) obstack_grow0(&h, "", kTooMuch[at]);
      if (way == 2) obstack_copy(&h, "", kTooMuch[at]);
      if (way == 3) _obstack_newchunk(&h, kTooMuch[at]);
      EXPECT(way == 4, "grew by size %zu, way %d", at, way);
      at = at + 1;
    }
    EXPECT(all_chunks == chunks && obstack_object_size(&h) == have);
    obstack_blank(&h, 5000);
    have = have + 5000;
  }
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);

  if (setjmp(failed) == 0) {
    obstack_begin(&h, kTooMuch[0]);
    EXPECT(0, "begun");
  }
  return 0;
}
