// A freed block is stored to, without a read before.
// sizes: small page large huge
// expect: write-after-free
// expect large huge: write-after-free+fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  volatile char* p = malloc(n);
  if (!GOOD) free((void*)p);
  p[n / 2] = 'x';
  if (GOOD) free((void*)p);
  return end();
}
