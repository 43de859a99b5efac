// Memory right above the program break, as V8 and others map it at times, keeps nobody from memory.
// Blocks of all sizes can be had, keep their contents, and grow.

#include <sys/mman.h>
#include <unistd.h>

#include "support/pattern.h"

enum { kBlocks = 20000 };

int main(void) {
  const uintptr_t page = 4096;
  // Some blocks first, so that a heap there may be.
  void* early[100];
  for (size_t i = 0; i < 100; ++i) early[i] = malloc(i + 1);
  const uintptr_t end = ((uintptr_t)sbrk(0) + page - 1) & ~(page - 1);
  void* wall =
      mmap((void*)end, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  EXPECT(wall == (void*)end);
  EXPECT(sbrk((intptr_t)(4 * page)) == (void*)-1);

  static unsigned char* blocks[kBlocks];
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < kBlocks; ++i) {
      const size_t size = i % 1000 == 0 ? 100000 + i * 7 : 1 + i * 13 % 5000;
      blocks[i] = malloc(size);
      EXPECT(blocks[i] != NULL);
      fill_pattern(blocks[i], size, i);
      if (i % 10 == 0) {
        blocks[i] = realloc(blocks[i], 2 * size);
        EXPECT(blocks[i] != NULL);
      }
      check_pattern(blocks[i], size, i);
    }
    for (size_t i = 0; i < kBlocks; ++i) {
      const size_t at = (i * 7919) % kBlocks;
      const size_t size = at % 1000 == 0 ? 100000 + at * 7 : 1 + at * 13 % 5000;
      check_pattern(blocks[at], size, at);
      free(blocks[at]);
    }
  }
  for (size_t i = 0; i < 100; ++i) free(early[i]);
  return 0;
}
