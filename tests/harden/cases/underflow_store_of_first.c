// The byte before the first block of all is stored to.
// sizes: small page large
// expect: underflow+fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  p[GOOD ? 0 : -1] = 'x';
  free(p);
  return end();
}
