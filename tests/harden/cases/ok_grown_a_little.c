// Blocks grow and shrink by a few bytes, at sizes where pages are moved. What was written stays.
// sizes: 1000 5000 300000 3000000 50000000
// expect: ok
#include "harden/case.h"

static bool are(const unsigned char* block, size_t bytes, unsigned char value) {
  return block[0] == value && memcmp(block, block + 1, bytes - 1) == 0;
}

int main(int argc, char** argv) {
  const size_t least = bytes_of(argc, argv);
  bool holds = true;
  for (size_t step = 1; step < 60; step += 7) {
    unsigned char* block = malloc(least);
    memset(block, 7, least);
    block = realloc(block, least + step);
    holds = holds && are(block, least, 7);
    memset(block + least, 7, step);
    block = realloc(block, least - step);
    holds = holds && are(block, least - step, 7);
    block = realloc(block, 2 * least);
    holds = holds && are(block, least - step, 7);
    free(block);
  }
  return end_if(holds);
}
