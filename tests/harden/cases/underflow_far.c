// Bytes well before a block are written, of its left neighbour's tail and contents.
// sizes: 100
// expect: underflow | overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  memset(GOOD ? p : p - 40, 'x', 40);
  free(p);
  return end();
}
