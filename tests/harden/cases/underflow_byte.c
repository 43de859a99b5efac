// The byte before a block is written.
// sizes: small 100 1000 page 30000
// expect: underflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  change(GOOD ? p : p - 1);
  free(p);
  return end();
}
