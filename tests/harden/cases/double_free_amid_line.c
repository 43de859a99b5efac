// A report begins a line of its own, where the program has begun one.
// sizes: small
// expect: double-free
#include <stdio.h>

#include "harden/case.h"

int main(void) {
  if (!GOOD) fprintf(stderr, "partial %d", 1);
  void* p = malloc(24);
  free(p);
  if (!GOOD) free(p);
  return end();
}
