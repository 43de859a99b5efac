// Mixed small blocks are freed in scattered order. All but a little of their memory then goes back
// to the system without any further call. Blocks that were left alone keep their contents.
// @memory-thread

#include "support/memory.h"
#include "support/pattern.h"

// A tenth may stay: live and cached blocks keep their pages, and bitmaps theirs. Spans kept whole
// by such blocks would be a fifth.
enum { kBytes = 256 << 20, kKept = 40, kLeft = 10 };

// About equal bytes of each size: 179 blocks of 20500 bytes together.
static size_t size_of(int i) {
  return i < 125 ? 32 : i < 165 ? 100 : i < 175 ? 400 : i < 178 ? 1500 : 4000;
}

int main(void) {
  enum { kBlocks = kBytes / 20500 * 179 };
  static void* blocks[kBlocks];
  static size_t sizes[kBlocks];
  uint64_t seed = 7;
  static int order[kBlocks];
  for (int i = 0; i < kBlocks; ++i) order[i] = i, sizes[i] = size_of(i % 179), blocks[i] = &seed;
  size_t start = resident_bytes();
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(sizes[i]);
    EXPECT(blocks[i] != NULL);
    fill_pattern(blocks[i], sizes[i], (uint64_t)i);
  }
  size_t peak = resident_bytes();
  EXPECT(peak - start > kBytes / 10 * 9);
  for (int i = kBlocks - 1; i > 0; --i) {
    int k = (int)(next_random(&seed) % (uint64_t)(i + 1));
    int other = order[k];
    order[k] = order[i];
    order[i] = other;
  }
  for (int i = kKept; i < kBlocks; ++i) {
    check_pattern(blocks[order[i]], sizes[order[i]], (uint64_t)order[i]);
    free(blocks[order[i]]);
  }
  size_t most = start + (peak - start) / kLeft;
  size_t now = resident_within(most);  // after two to three decay intervals
  EXPECT(now <= most, "%zu of %zu bytes are back", peak - now, peak - start);
  for (int i = 0; i < kKept; ++i)
    check_pattern(blocks[order[i]], sizes[order[i]], (uint64_t)order[i]);
  for (int i = 0; i < kKept; ++i) free(blocks[order[i]]);
  return 0;
}
