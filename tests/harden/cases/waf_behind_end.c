// The word behind a freed block is written: where it has no gap, by whom is open.
// sizes: small 100 page
// expect: write-after-free | overflow
// expect small: write-after-free | overflow | underflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = block_among_others(n);
  if (!GOOD) free(p);
  memset(GOOD ? p : p + n, 'x', 8);
  if (GOOD) free(p);
  return end();
}
