// Pages of large blocks are moved away by one call, as the kernel allows it within one mapping. The
// heap has put some blocks together from pages of several mappings. The moved pages have what the
// block held.
// @only mmt

#include <stdint.h>
#include <sys/mman.h>

#include "support/memory.h"

enum { kPage = 4096, kBlocks = 60, kBytes = 5000000, kWhole = kBytes & ~(kPage - 1) };

static char* blocks[kBlocks];

static void fill(void) {
  for (int i = 0; i < kBlocks; ++i) {
    void* block = NULL;
    EXPECT(posix_memalign(&block, 65536, kBytes) == 0);
    blocks[i] = block;
    memset(blocks[i], i + 1, kBytes);
  }
}

// All but the first and the last page of it, or all.
static void move(int i, size_t margin) {
  char* const from = blocks[i] + margin;
  const size_t bytes = kWhole - 2 * margin;
  char* const to = mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
  EXPECT(to != MAP_FAILED);
  for (size_t at = 0; at < bytes; at += kPage / 4) EXPECT(to[at] == i + 1);
  for (size_t at = 0; at < bytes; at += kPage) EXPECT(from[at] == 0);
  if (margin != 0) EXPECT(blocks[i][0] == i + 1 && from[bytes] == i + 1);
  EXPECT(munmap(to, bytes) == 0);
}

int main(void) {
  for (int round = 0; round < 2; ++round) {
    fill();
    for (int i = 0; i < kBlocks; ++i) move(i, round == 0 ? 0 : kPage);
    for (int i = 0; i < kBlocks; ++i) {
      memset(blocks[i], 9, kBytes);
      free(blocks[i]);
    }
  }
  char* const zeroes = calloc(1, kBytes);
  for (size_t at = 0; at < kBytes; ++at) EXPECT(zeroes[at] == 0);
  free(zeroes);
  return 0;
}
