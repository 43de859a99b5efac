// One of a thousand freed blocks is written.
// sizes: small 100 page
// expect: write-after-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* blocks[1000];
  for (int i = 0; i < 1000; ++i) blocks[i] = malloc(n);
  if (GOOD) change(blocks[500]);
  for (int i = 0; i < 1000; ++i) free(blocks[i]);
  if (!GOOD) change(blocks[500]);
  return end();
}
