// The eight bytes before a block are written: where the one before has no gap, by whom is open.
// sizes: small 100 1000 page 30000
// expect: underflow
// expect small: underflow | overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  memset(GOOD ? p : p - 8, 'x', 8);
  free(p);
  return end();
}
