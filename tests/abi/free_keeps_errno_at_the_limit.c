// free leaves errno alone also where the system refuses what it asks for: at the limit of mappings
// nothing can be cut out of one.
// @without libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4 libtbbmalloc_proxy.so.2

#include <sys/mman.h>

#include "support/memory.h"

enum { kLarge = 12 << 20, kLargeBlocks = 8, kSmallBlocks = 20000, kErrno = 1789, kPage = 4096 };
static const long kMostMappings = 2000000;

int main(void) {
  static void* large[kLargeBlocks];
  static void* small[kSmallBlocks];
  for (int i = 0; i < kLargeBlocks; ++i) large[i] = malloc((size_t)kLarge - 100);
  for (int i = 0; i < kSmallBlocks; ++i) {
    small[i] = malloc(16 + (size_t)i * 37 % 5000);
    memset(small[i], 1, 16);
  }
  // By turns of another kind, so that neighbours do not become one mapping.
  long made = 0;
  while (made < kMostMappings && mmap(NULL, kPage, made % 2 ? PROT_READ : PROT_NONE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    ++made;
  if (made == kMostMappings) return 0;  // there is none here
  errno = kErrno;
  for (int i = 1; i < kLargeBlocks; i += 2) {
    free(large[i]);
    EXPECT(errno == kErrno, "large block %d", i);
  }
  for (int i = 0; i < kSmallBlocks; ++i) {
    free(small[i]);
    EXPECT(errno == kErrno, "small block %d", i);
  }
  for (int i = 0; i < kLargeBlocks; i += 2) {
    free(large[i]);
    EXPECT(errno == kErrno, "large block %d", i);
  }
  return 0;
}
