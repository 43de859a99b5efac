// Where a process has as many mappings as it may have, or nearly, a large block that grows keeps
// its contents: one whose pages the program has changed, and one that came to be of many mappings.
// @only mmt
// @timeout 120

#include <stdint.h>
#include <sys/mman.h>

#include "support/expect.h"

enum { kPage = 4096, kMiB = 1 << 20, kMost = 1 << 18, kBlocks = 80 };

static char* wall;  // pages of two kinds in turn: a mapping each
static size_t in_the_wall;

static void use_up_mappings(void) {
  wall = mmap(NULL, (size_t)kMost * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(wall != MAP_FAILED);
  for (in_the_wall = 1; in_the_wall < kMost; in_the_wall += 2)
    if (mprotect(wall + in_the_wall * kPage, kPage, PROT_NONE) != 0) return;
  exit(77);  // a system that allows more
}

// `count` mappings may be made again.
static void leave_mappings(size_t count) {
  for (size_t i = 0; i < count; i += 2) {
    in_the_wall -= 2;
    EXPECT(mprotect(wall + in_the_wall * kPage, kPage, PROT_READ) == 0);
  }
}

static void fill(char* block, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kPage) *(size_t*)(block + at) = at + 1;
}

static void expect_filled(const char* block, size_t bytes, size_t left) {
  for (size_t at = 0; at < bytes; at += kPage)
    EXPECT(*(const size_t*)(block + at) == at + 1, "%zu mappings left, at %zu", left, at);
}

static char* changed(void) {
  void* block = NULL;
  EXPECT(posix_memalign(&block, kPage, kMiB) == 0);
  fill(block, kMiB);
  for (size_t at = 0; at < kMiB; at += 16 * kPage)
    EXPECT(madvise((char*)block + at, 8 * kPage, MADV_DONTFORK) == 0);
  return block;
}

// Filled from what lies free in pieces.
static char* of_pieces(void) {
  static char* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) memset(blocks[i] = malloc(2 * kMiB), 1, 2 * kMiB);
  for (int i = 0; i < kBlocks; i += 2) free(blocks[i]);
  char* const block = malloc(40 * kMiB);
  EXPECT(block != NULL);
  fill(block, 40 * kMiB);
  return block;
}

static void grow(char* block, size_t bytes, size_t left) {
  leave_mappings(left);
  char* const grown = realloc(block, 2 * bytes);
  expect_filled(grown != NULL ? grown : block, bytes, left);
}

int main(void) {
  for (size_t left = 2; left < 40; left += 2) {
    char* const block = changed();
    char* const pieces = of_pieces();
    use_up_mappings();
    grow(block, kMiB, left);
    grow(pieces, 40 * kMiB, left);
    EXPECT(munmap(wall, (size_t)kMost * kPage) == 0);
  }
  return 0;
}
