// A program that takes two thousand blocks of 4 GiB and writes a page of each gets them, and small
// blocks besides. It gets its address space back when it frees them.
// @only mmt

#include <sys/mman.h>

#include "support/processes.h"

#define COUNT 2000

static char* blocks[COUNT];

int main(void) {
  const size_t size = (size_t)4 << 30;
  void* granted = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (granted == MAP_FAILED) return 77;  // no such block can be had here at all
  munmap(granted, size);
  const size_t before = mapped_bytes();
  for (int i = 0; i < COUNT; ++i) {
    blocks[i] = i % 2 == 0 ? malloc(size) : calloc(1, size);
    EXPECT(blocks[i] != NULL, "block %d", i);
    blocks[i][4096] = (char)(i + 1);
  }
  for (int i = 0; i < 10000; ++i) EXPECT(malloc(100) != NULL);
  for (int i = 0; i < COUNT; ++i) {
    EXPECT(blocks[i][4096] == (char)(i + 1));
    free(blocks[i]);
  }
  EXPECT(mapped_bytes() < before + ((size_t)1 << 30));
  return 0;
}
