// Blocks of no bytes are blocks of their own.
// sizes: 0
// expect: ok
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* blocks[100];
  bool holds = true;
  for (int i = 0; i < 100; ++i) {
    blocks[i] = malloc(n);
    holds = holds && blocks[i] != NULL;
    for (int k = 0; k < i; ++k) holds = holds && blocks[k] != blocks[i];
  }
  for (int i = 0; i < 100; ++i) free(blocks[i]);
  return end_if(holds);
}
