// A loop from the last byte down goes one too far.
// sizes: small 100 page
// expect: underflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  for (ssize_t i = (ssize_t)n - 1; i >= (GOOD ? 0 : -1); --i) change(p + i);
  free(p);
  return end();
}
