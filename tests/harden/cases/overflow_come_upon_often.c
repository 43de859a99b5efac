// An overflow that the memory thread, a resize and a free come upon is told of once.
// sizes: small page large
// expect: overflow+once
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* p = malloc(n);
  if (!GOOD) change(p + n);
  usleep(500000);
  p = realloc(p, 20 * n + 100);
  free(p);
  return end();
}
