// The byte before a large block is written.
// sizes: 300000 large
// expect: underflow | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  change(GOOD ? p : p - 1);
  free(p);
  return end();
}
