// mallinfo2 shows large blocks as mappings of their own, for as long as they are there.
// @without harden kingsley kingsley-coalescing phk tlsf abt-ffwc-balance-weight
// @freed-at-once

#include <malloc.h>

#include "support/expect.h"

static size_t in_use(struct mallinfo2 m) { return m.uordblks + m.hblkhd; }

int main(void) {
  const size_t kBig = (size_t)64 << 20;
  struct mallinfo2 start = mallinfo2();
  char* big = malloc(kBig);
  big[0] = 1;
  struct mallinfo2 full = mallinfo2();
  EXPECT(in_use(full) >= in_use(start) + kBig && in_use(full) <= in_use(start) + kBig + (4 << 20));
  EXPECT(full.hblks == start.hblks + 1, "%zu then %zu", start.hblks, full.hblks);
  EXPECT(full.hblkhd >= start.hblkhd + kBig, "%zu then %zu", start.hblkhd, full.hblkhd);
  big = realloc(big, kBig * 2);
  full = mallinfo2();
  EXPECT(in_use(full) >= in_use(start) + kBig * 2, "%zu", in_use(full));
  free(big);
  struct mallinfo2 after = mallinfo2();
  EXPECT(in_use(after) <= in_use(start) + (1 << 20), "%zu then %zu", in_use(start), in_use(after));
  EXPECT(after.hblks == start.hblks && after.hblkhd == start.hblkhd, "%zu", after.hblkhd);
  return 0;
}
