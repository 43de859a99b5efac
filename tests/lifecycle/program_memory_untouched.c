// Memory that the program maps for itself stays as it is, though the heap may grow up to it.
// Nothing of that memory becomes resident, and it can be moved in one piece.
// @only protocol glibc layered peer

#include <sys/mman.h>

#include "support/expect.h"

enum { kRegions = 12, kPage = 4096, kNodes = 200000 };
static const size_t kRegion = (size_t)64 << 20;

static size_t resident_pages(char* region) {
  static unsigned char is_there[((size_t)64 << 20) / kPage];
  EXPECT(mincore(region, kRegion, is_there) == 0);
  size_t count = 0;
  for (size_t i = 0; i < kRegion / kPage; ++i) count += is_there[i] & 1;
  return count;
}

int main(void) {
  static void* nodes[kNodes];
  char* regions[kRegions];
  for (int r = 0; r < kRegions; ++r) {
    regions[r] = mmap(NULL, kRegion, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(regions[r] != MAP_FAILED);
    for (int i = 0; i < kNodes; ++i) {
      char* node = malloc(48);
      EXPECT(node != NULL);
      memset(node, r, 48);
      *(void**)node = nodes[i];
      nodes[i] = node;
    }
  }
  for (int r = 0; r < kRegions; ++r) {
    EXPECT(resident_pages(regions[r]) == 0, "region %d: %zu pages", r, resident_pages(regions[r]));
    char* moved = mremap(regions[r], kRegion, 2 * kRegion, MREMAP_MAYMOVE);
    EXPECT(moved != MAP_FAILED, "region %d", r);
    regions[r] = moved;
  }
  for (int i = 0; i < kNodes; ++i) {
    for (void *node = nodes[i], *next; node != NULL; node = next) {
      next = *(void**)node;
      free(node);
    }
  }
  return 0;
}
