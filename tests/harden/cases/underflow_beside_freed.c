// The byte before a block is written, where a freed block lies.
// sizes: small 100
// expect: underflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* blocks[64];
  for (int i = 0; i < 64; ++i) blocks[i] = malloc(n);
  char* volatile p = blocks[0];
  for (int i = 0; i < 64; ++i)
    if (blocks[i] > p) p = blocks[i];
  for (int i = 0; i < 64; ++i)
    if (blocks[i] != p) free(blocks[i]);
  change(GOOD ? p : p - 1);
  free(p);
  return end();
}
