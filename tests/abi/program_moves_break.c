// A program that uses the program break itself, with no thread of its own, keeps what it has there,
// and gets its blocks.

#include <unistd.h>

#include "support/pattern.h"

enum { kRounds = 400, kPage = 4096 };

int main(void) {
  static char* pages[kRounds];
  static void* blocks[kRounds];
  for (size_t i = 0; i < kRounds; ++i) {
    pages[i] = sbrk(kPage);
    EXPECT(pages[i] != (void*)-1, "page %zu", i);
    memset(pages[i], (int)i, kPage);
    const size_t size = i % 3 == 0 ? 20000 : 100 + i;
    blocks[i] = malloc(size);
    EXPECT(blocks[i] != NULL, "block %zu", i);
    fill_pattern(blocks[i], size, i);
    // So much that a memory thread, if there is one, is at work.
    for (size_t k = 0; k < 20; ++k) {
      void* brief = malloc(1 + k * 700);
      EXPECT(brief != NULL);
      memset(brief, 1, 1 + k * 700);
      free(brief);
    }
  }
  for (size_t i = 0; i < kRounds; ++i) {
    for (size_t k = 0; k < kPage; ++k) EXPECT(pages[i][k] == (char)i, "page %zu at %zu", i, k);
    check_pattern(blocks[i], i % 3 == 0 ? 20000 : 100 + i, i);
    free(blocks[i]);
  }
  return 0;
}
