// What a block has beyond the request is bounded: half of the request, and 256 bytes, or 64 KiB for
// more than 8 KiB.
// @without kingsley kingsley-coalescing phk

#include <malloc.h>

#include "support/expect.h"

int main(void) {
  for (size_t i = 0; i < 3000; ++i) {
    const size_t size = i < 2000 ? i : (i - 2000) * 331;
    void* p = malloc(size);
    const size_t usable = malloc_usable_size(p);
    EXPECT(usable <= size + size / 2 + (size < 8192 ? 256 : 65536), "size %zu usable %zu", size,
           usable);
    free(p);
  }
  return 0;
}
