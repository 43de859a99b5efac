// A large block whose pages cannot be read grows by realloc without being read, and keeps its
// contents. All of the block can be written then, and what was not mapped reads as zero.
// @only mmt

#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

#include "support/processes.h"

enum { kPage = 4096, kBytes = 400000, kMiB = 1 << 20 };

static char* aligned(size_t bytes) {
  void* block = NULL;
  EXPECT(posix_memalign(&block, kPage, bytes) == 0);
  memset(block, 7, bytes);
  return block;
}

// `lost` bytes from the third page on hold nothing any more.
static void grow(char* block, size_t bytes, size_t lost) {
  static const size_t factors[] = {2, 3, 11};
  for (size_t i = 0; i < sizeof factors / sizeof *factors; ++i) {
    const size_t more = bytes * factors[i];
    char* const other = malloc(more);  // what lies behind the block is taken
    block = realloc(block, more);
    EXPECT(block != NULL && malloc_usable_size(block) >= more);
    EXPECT(block[0] == 7 && block[2 * kPage - 1] == 7 && block[2 * kPage + lost] == 7);
    EXPECT(block[bytes - 1] == 7);
    if (lost != 0) EXPECT(block[2 * kPage] == 0 && block[2 * kPage + lost - 1] == 0);
    memset(block + bytes, 5, more - bytes);
    free(other);
  }
  memset(block, 1, 11 * bytes);
  free(block);
  block = aligned(bytes);  // of the same pages, perhaps: memset would fault
  free(block);
}

static void grow_all(size_t bytes) {
  const size_t pages = bytes & ~(size_t)(kPage - 1);
  char* block = aligned(bytes);
  EXPECT(mprotect(block, pages, PROT_NONE) == 0);
  grow(block, bytes, 0);

  block = aligned(bytes);
  EXPECT(mprotect(block + 5 * kPage, 3 * kPage, PROT_NONE) == 0);
  grow(block, bytes, 0);

  block = aligned(bytes);
  EXPECT(munmap(block + 2 * kPage, 2 * kPage) == 0);
  grow(block, bytes, 2 * kPage);

  block = aligned(bytes);
  void* const away =
      mremap(block + 2 * kPage, 4 * kPage, 4 * kPage, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
  EXPECT(away != MAP_FAILED);
  EXPECT(munmap(block + 2 * kPage, kPage) == 0);
  grow(block, bytes, 4 * kPage);
  EXPECT(*(char*)away == 7 && munmap(away, 4 * kPage) == 0);

  const int guard = 102;  // MADV_GUARD_INSTALL, of Linux 6.13
  block = aligned(bytes);
  if (madvise(block + 5 * kPage, kPage, guard) == 0) {
    block = realloc(block, 3 * bytes);
    EXPECT(block != NULL && block[0] == 7 && block[bytes - 1] == 7);
  }
  free(block);

  // What is locked stays locked.
  block = aligned(bytes);
  if (mlock(block, pages) == 0) {
    const size_t locked = status_value("VmLck:");
    char* const other = malloc(5 * bytes);
    block = realloc(block, 5 * bytes);
    EXPECT(block != NULL && block[bytes - 1] == 7);
    EXPECT(status_value("VmLck:") >= locked, "%zu KiB of %zu", status_value("VmLck:"), locked);
    free(other);
  }
  free(block);
  EXPECT(status_value("VmLck:") == 0, "%zu KiB stay locked", status_value("VmLck:"));
}

int main(void) {
  grow_all(kBytes);
  grow_all(3 * kMiB);

  // Above what is served from the heap's region.
  const size_t bytes = (size_t)260 * kMiB;
  char* block = aligned(bytes);
  EXPECT(munmap(block + 2 * kPage, kPage) == 0);
  EXPECT(mprotect(block + kMiB, kPage, PROT_NONE) == 0);
  block = realloc(block, bytes + 64 * kMiB);
  EXPECT(block != NULL && block[0] == 7 && block[2 * kPage] == 0 && block[bytes - 1] == 7);
  memset(block, 1, bytes + 64 * kMiB);
  free(block);
  return 0;
}
