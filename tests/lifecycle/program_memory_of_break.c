// What the program moves the break by for itself stays as it is, though the heap grows on either
// side of it.
// @only protocol glibc layered peer

#include <sys/mman.h>

#include "support/expect.h"

enum { kPage = 4096, kNodes = 60000, kRounds = 12 };
static const size_t kRegion = (size_t)32 << 20;

static size_t resident_pages(char* region) {
  static unsigned char is_there[((size_t)32 << 20) / kPage];
  EXPECT(mincore(region, kRegion, is_there) == 0);
  size_t count = 0;
  for (size_t i = 0; i < kRegion / kPage; ++i) count += is_there[i] & 1;
  return count;
}

static void grow(void) {
  static void* nodes = NULL;
  for (int i = 0; i < kNodes; ++i) {
    void** node = malloc(100);
    EXPECT(node != NULL);
    memset(node, 1, 100);
    *node = nodes;
    nodes = node;
  }
}

int main(void) {
  char* regions[kRounds];
  for (int i = 0; i < kRounds; ++i) {
    grow();
    // To a whole page first, so that none is shared.
    const uintptr_t now = (uintptr_t)sbrk(0);
    EXPECT(sbrk((intptr_t)(-now % kPage)) != (void*)-1);
    regions[i] = sbrk((intptr_t)kRegion);
    EXPECT(regions[i] != (void*)-1);
  }
  grow();
  size_t resident = 0;
  for (int i = 0; i < kRounds; ++i) resident += resident_pages(regions[i]);
  EXPECT(resident == 0, "%zu pages", resident);
  return 0;
}
