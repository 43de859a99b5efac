// A block whose pages were changed keeps its contents as it grows and shrinks, and what it leaves
// behind is memory like any other.
// @only mmt

#include <sys/mman.h>

#include "support/processes.h"

enum { kPage = 4096, kHeld = 8 };

static void fill(char* block, size_t bytes, int seed) {
  for (size_t at = 0; at < bytes; at += kPage) block[at] = (char)(seed + at / kPage);
}

static void expect_filled(const char* block, size_t bytes, int seed) {
  for (size_t at = 0; at < bytes; at += kPage)
    EXPECT(block[at] == (char)(seed + at / kPage), "at %zu of %zu", at, bytes);
}

static void read_all(void* arg) {
  char** blocks = arg;
  for (int i = 0; i < kHeld; ++i) expect_filled(blocks[i], 1 << 20, i);
}

static void resize(int advice, size_t from, size_t to) {
  char* block;
  EXPECT(posix_memalign((void**)&block, kPage, from) == 0);
  fill(block, from, 7);
  EXPECT(advice == 0 ? mprotect(block, from, PROT_READ) == 0 : madvise(block, from, advice) == 0);
  block = realloc(block, to);
  EXPECT(block != NULL);
  expect_filled(block, from < to ? from : to, 7);
  char* held[kHeld];
  for (int i = 0; i < kHeld; ++i) fill(held[i] = malloc(1 << 20), 1 << 20, i);
  expect_success(fork_child(read_all, held));
  for (int i = 0; i < kHeld; ++i) free(held[i]);
  free(block);
}

int main(void) {
  static const size_t kSizes[] = {16 << 10, 200 << 10, 400 << 10, 1 << 20, 5 << 20};
  enum { kCount = sizeof kSizes / sizeof kSizes[0] };
  static const int kAdvice[] = {0, MADV_DONTFORK, MADV_WIPEONFORK};
  for (int a = 0; a < 3; ++a)
    for (int from = 0; from < kCount; ++from)
      for (int to = 0; to < kCount; ++to)
        if (from != to) resize(kAdvice[a], kSizes[from], kSizes[to]);
  return 0;
}
