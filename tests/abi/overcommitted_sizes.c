// What the system refuses to anybody, malloc refuses: a block far larger than the machine's memory.

#include <sys/mman.h>

#include "support/expect.h"

static int system_grants(size_t size) {
  void* at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return 0;
  munmap(at, size);
  return 1;
}

int main(void) {
  void* keep = malloc(100);
  // Above, the heap's own limit refuses first.
  for (size_t size = (size_t)1 << 30; size <= (size_t)1 << 40; size *= 2) {
    if (system_grants(size))
      continue;  // always up to some size; everywhere if the system overcommits
    errno = 0;
    EXPECT(malloc(size) == NULL, "size %zu", size);
    EXPECT(errno == ENOMEM);
    EXPECT(calloc(size, 1) == NULL, "size %zu", size);
    errno = 0;
    EXPECT(realloc(keep, size) == NULL, "size %zu", size);
    EXPECT(errno == ENOMEM);
  }
  void* granted = malloc((size_t)1 << 30);
  EXPECT(granted != NULL || !system_grants((size_t)1 << 30));
  free(granted);
  free(keep);
  return 0;
}
