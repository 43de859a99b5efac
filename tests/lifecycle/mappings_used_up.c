// A large block that grows keeps its contents where a process has as many mappings as it may have,
// or nearly. This holds for a block whose pages the program has changed, and for one that came to
// be of many mappings.
// @only mmt
// @timeout 120

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "support/processes.h"

enum { kPage = 4096, kMiB = 1 << 20, kMost = 1 << 18, kBlocks = 80, kChanged = 400000 };

static size_t left;  // mappings that may be made again, about

static void fill(char* block, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kPage) *(size_t*)(block + at) = at + 1;
}

// Pages of two kinds in turn, a mapping each.
static void use_up_mappings(void) {
  char* const wall = mmap(NULL, (size_t)kMost * kPage, PROT_READ,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT(wall != MAP_FAILED);
  size_t page = 1;
  while (page < kMost && mprotect(wall + page * kPage, kPage, PROT_NONE) == 0) page += 2;
  if (page >= kMost) {
    fputs("the system allows more mappings\n", stderr);
    _exit(77);
  }  // a system that allows more
  for (size_t i = 0; i < left; i += 2) {
    page -= 2;
    EXPECT(mprotect(wall + page * kPage, kPage, PROT_READ) == 0);
  }
}

static void grow(char* block, size_t bytes, size_t more) {
  use_up_mappings();
  char* const grown = realloc(block, more);
  const char* const now = grown != NULL ? grown : block;
  for (size_t at = 0; at < bytes; at += kPage)
    EXPECT(*(const size_t*)(now + at) == at + 1, "%zu mappings left, at %zu", left, at);
}

static void grow_changed(void* unused) {
  (void)unused;
  char* block = NULL;
  EXPECT(posix_memalign((void**)&block, kPage, kChanged) == 0);
  fill(block, kChanged);
  EXPECT(madvise(block + 2 * kPage, 16 * kPage, MADV_DONTFORK) == 0);
  memset(malloc(kChanged), 1, kChanged);  // lies where it could grow
  grow(block, kChanged, 3 * kChanged);
}

// Filled from what lies free in pieces.
static void grow_pieces(void* unused) {
  (void)unused;
  static char* blocks[kBlocks];
  const size_t bytes = 2 * kMiB - 65536;
  for (int i = 0; i < kBlocks; ++i) memset(blocks[i] = malloc(bytes), 1, bytes);
  for (int i = 0; i < kBlocks; i += 2) free(blocks[i]);
  char* const block = malloc(40 * kMiB);
  EXPECT(block != NULL);
  fill(block, 40 * kMiB);
  EXPECT(malloc(64 * kMiB) != NULL);  // as above
  grow(block, 40 * kMiB, 80 * kMiB);
}

int main(void) {
  for (left = 2; left <= 22; left += 2) {
    const int status = wait_status(fork_child(grow_changed, NULL), 60);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return 77;
    EXPECT(status == 0, "status %#x", (unsigned)status);
    expect_success(fork_child(grow_pieces, NULL));
  }
  return 0;
}
