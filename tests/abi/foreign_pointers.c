// Blocks that libc's own malloc gave go back to it: free, realloc and malloc_usable_size of
// pointers that are not the preloaded library's.
// @without harden

#include <malloc.h>

#include "support/libc_file.h"
#include "support/pattern.h"

int main(void) {
  void* (*libc_malloc)(size_t) = NULL;
  void* (*libc_memalign)(size_t, size_t) = NULL;
  *(void**)&libc_malloc = function_of_libc_file("malloc");
  *(void**)&libc_memalign = function_of_libc_file("memalign");
  // So that this heap's memory lies as far apart as may be.
  void* far[2] = {aligned_alloc(4096, 300 << 10), aligned_alloc(1 << 20, 4 << 20)};
  EXPECT(far[0] != NULL && far[1] != NULL);
  for (size_t size = 1; size < (8 << 20); size = size * 2 + 3) {
    for (int i = 0; i < 8; ++i) {
      void* p = i % 2 ? libc_malloc(size) : libc_memalign(256, size);
      EXPECT(p != NULL && malloc_usable_size(p) >= size, "size %zu", size);
      fill_pattern(p, size, size);
      if (i / 2 == 1) {
        p = realloc(p, size * 2 + 100);
        check_prefix(p, size, size, size);
        memset(p, 1, size * 2 + 100);
      } else if (i / 2 == 2) {
        p = realloc(p, size / 2 + 1);
        check_prefix(p, size / 2 + 1, size, size);
      } else if (i / 2 == 3) {
        EXPECT(realloc(p, 0) == NULL);
        continue;
      }
      errno = 66;
      free(p);
      EXPECT(errno == 66);
    }
  }
  free(far[0]);
  free(far[1]);
  return 0;
}
