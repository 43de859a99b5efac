// The byte before a large block is stored to, without a read before.
// sizes: large 300000
// expect: underflow+fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  p[GOOD ? 0 : -1] = 'x';
  free(p);
  return end();
}
