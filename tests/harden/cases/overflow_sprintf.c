// A number is printed to a block that is too small for it.
// sizes: small
// expect: overflow
#include <stdio.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  sprintf(p, "%0*d", GOOD ? 8 : (int)n + 4, 7);
  free(p);
  return end();
}
