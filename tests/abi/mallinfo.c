// mallinfo2 and mallinfo tell the truth. The bytes in use rise by at least what is allocated, at
// most by a bounded waste, and fall when it is freed. The totals agree with each other.

#include <malloc.h>

#include "support/expect.h"

static size_t in_use(struct mallinfo2 m) { return m.uordblks + m.hblkhd; }

int main(void) {
  enum { kCount = 100000, kSize = 240 };
  static void* p[kCount];
  const size_t kBytes = (size_t)kCount * kSize;
  struct mallinfo2 start = mallinfo2();
  for (int i = 0; i < kCount; ++i) p[i] = malloc(kSize);
  struct mallinfo2 full = mallinfo2();
  EXPECT(in_use(full) >= in_use(start) + kBytes, "%zu then %zu", in_use(start), in_use(full));
  EXPECT(in_use(full) <= in_use(start) + kBytes + kBytes / 4, "%zu then %zu", in_use(start),
         in_use(full));
  EXPECT(full.arena + full.hblkhd >= in_use(full), "arena %zu", full.arena);
  EXPECT(full.uordblks + full.fordblks <= full.arena + full.hblkhd, "%zu + %zu", full.uordblks,
         full.fordblks);
  struct mallinfo narrow = mallinfo();
  EXPECT((size_t)(unsigned)narrow.uordblks >= full.uordblks - (1 << 20) &&
             (size_t)(unsigned)narrow.uordblks <= full.uordblks + (1 << 20),
         "%d against %zu", narrow.uordblks, full.uordblks);
  for (int i = 0; i < kCount; ++i) free(p[i]);
  struct mallinfo2 after = mallinfo2();
  EXPECT(in_use(after) <= in_use(start) + kBytes / 10, "start %zu full %zu after %zu",
         in_use(start), in_use(full), in_use(after));

  // Few bytes on a large boundary count as what they may be used for.
  enum { kAligned = 64 };
  void* aligned[kAligned];
  size_t usable = 0;
  start = mallinfo2();
  for (int i = 0; i < kAligned; ++i)
    usable += malloc_usable_size(aligned[i] = memalign(512 << 10, 100));
  full = mallinfo2();
  EXPECT(usable >= kAligned * (size_t)100);
  EXPECT(in_use(full) >= in_use(start) + usable, "%zu then %zu, %zu usable", in_use(start),
         in_use(full), usable);
  for (int i = 0; i < kAligned; ++i) free(aligned[i]);
  return 0;
}
