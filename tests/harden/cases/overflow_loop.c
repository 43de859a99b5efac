// A loop goes one byte too far.
// sizes: small page large 1 13 100 1000
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  for (size_t i = 0; i < n + !GOOD; ++i) change(p + i);
  free(p);
  return end();
}
