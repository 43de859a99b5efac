// The byte before the first block of all is stored to, once the block is freed.
// sizes: small page large
// expect: write-after-free+fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  p[GOOD ? 0 : -1] = 'x';
  if (GOOD) free(p);
  return end();
}
