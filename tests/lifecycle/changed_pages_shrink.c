// A block whose pages cannot be read shrinks by realloc without being read, to any size, and keeps
// its contents. Memory that the program has not changed since is as malloc gives it.
// @only mmt

#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

#include "support/expect.h"

enum { kPage = 4096, kBytes = 400000 };

static char* aligned(size_t bytes) {
  void* block = NULL;
  EXPECT(posix_memalign(&block, kPage, bytes) == 0);
  memset(block, 7, bytes);
  return block;
}

int main(void) {
  static const size_t sizes[] = {kBytes - 1, 300000, 200000, 20000, 4096};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const size_t pages = kBytes & ~(size_t)(kPage - 1);
    char* block = aligned(kBytes);
    EXPECT(mprotect(block, pages, PROT_NONE) == 0);
    block = realloc(block, sizes[i]);
    EXPECT(block != NULL && malloc_usable_size(block) >= sizes[i]);
    EXPECT(mprotect(block, sizes[i] & ~(size_t)(kPage - 1), PROT_READ | PROT_WRITE) == 0);
    EXPECT(block[0] == 7 && block[kPage - 1] == 7);
    free(block);

    block = aligned(kBytes);
    EXPECT(munmap(block + kPage, 2 * kPage) == 0);
    block = realloc(block, sizes[i]);
    EXPECT(block != NULL && block[0] == 7 && block[kPage - 1] == 7);
    free(block);

    // What it has lost is not read as it grows again.
    block = aligned(kBytes);
    const size_t lost = (sizes[i] + kPage - 1) & ~(size_t)(kPage - 1);
    if (lost < pages) EXPECT(mprotect(block + lost, pages - lost, PROT_NONE) == 0);
    block = realloc(block, sizes[i]);
    block = realloc(block, 3 * kBytes);
    EXPECT(block != NULL && block[sizes[i] - 1] == 7);
    memset(block, 1, 3 * kBytes);
    free(block);

    block = aligned(kBytes);  // of the same pages, perhaps: memset would fault
    free(block);
  }

  // Above what is served from the heap's region.
  char* block = malloc((size_t)300 << 20);
  EXPECT(block != NULL);
  block[0] = 7;
  char* const first = (char*)((uintptr_t)block & ~(uintptr_t)(kPage - 1));
  EXPECT(mprotect(first, (size_t)300 << 20, PROT_NONE) == 0);
  block = realloc(block, 100);
  EXPECT(block != NULL);
  EXPECT(mprotect((char*)((uintptr_t)block & ~(uintptr_t)(kPage - 1)), kPage,
                  PROT_READ | PROT_WRITE) == 0);
  EXPECT(block[0] == 7);
  free(block);
  return 0;
}
