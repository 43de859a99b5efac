// With mallopt(M_PERTURB) realloc to a size that a block has already leaves the block where it is.
// The contents up to the new size stay. Shrinking never fails, not even when there is no memory.
// @without libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4 libtbbmalloc_proxy.so.2

#include <malloc.h>
#include <sys/resource.h>

#include "support/pattern.h"

// Larger ones glibc moves to make a byte of room.
enum { kPerturb = 42, kSizes = 3000, kInPlace = 100000, kRoom = 64 << 20 };

static void grow_and_shrink(size_t size) {
  void* p = malloc(size);
  const uintptr_t place = (uintptr_t)p;
  fill_pattern(p, size, size);
  const size_t usable = malloc_usable_size(p);
  p = realloc(p, usable);
  EXPECT((uintptr_t)p == place || size > kInPlace, "%zu grown to what it has", size);
  check_pattern(p, size, size);
  p = realloc(p, size);
  EXPECT((uintptr_t)p == place || size > kInPlace || size < usable / 2, "%zu shrunk", size);
  check_pattern(p, size, size);
  p = realloc(p, 2 * size + 1);
  check_pattern(p, size, size);
  p = realloc(p, size / 3 + 1);
  EXPECT(p != NULL);
  free(p);
}

// A list through the blocks, until none is to be had.
static void use_up_memory(void) {
  void** list = NULL;
  for (size_t size = 1 << 20; size >= 16; size /= 2)
    for (void** block; (block = malloc(size)) != NULL; list = block) *block = list;
}

int main(void) {
  EXPECT(mallopt(M_PERTURB, kPerturb) == 1);
  for (size_t size = 1; size <= kSizes; ++size) grow_and_shrink(size);
  for (size_t size = kSizes; size < (size_t)8 << 20; size = size * 3 / 2) grow_and_shrink(size);
  // The same without: shrinking never fails there either.
  enum { kBlocks = 40, kCopied = 4096 };
  void* blocks[2][kBlocks];
  static char copies[kBlocks][kCopied];
  for (int perturbed = 0; perturbed < 2; ++perturbed)
    for (int i = 0; i < kBlocks; ++i) {
      size_t size = (size_t)24 << (i % 18);
      blocks[perturbed][i] = malloc(size);
      fill_pattern(blocks[perturbed][i], size, (uint64_t)i);
      memcpy(copies[i], blocks[perturbed][i], size < kCopied ? size : kCopied);
    }
  struct rlimit limit = {0, 0};
  long pages = 0;
  FILE* f = fopen("/proc/self/statm", "r");
  EXPECT(f != NULL && fscanf(f, "%ld", &pages) == 1);
  fclose(f);
  limit.rlim_cur = limit.rlim_max = (rlim_t)pages * 4096 + kRoom;
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  use_up_memory();
  for (int perturbed = 1; perturbed >= 0; --perturbed) {
    EXPECT(mallopt(M_PERTURB, perturbed ? kPerturb : 0) == 1);
    for (int i = 0; i < kBlocks; ++i) {
      size_t size = ((size_t)24 << (i % 18)) / 3;
      void* p = realloc(blocks[perturbed][i], size);
      EXPECT(p != NULL, "%zu", size);
      EXPECT(memcmp(p, copies[i], size < kCopied ? size : kCopied) == 0, "%zu", size);
    }
  }
  return 0;
}
