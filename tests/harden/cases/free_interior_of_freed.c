// An address inside a freed block is freed.
// sizes: small page large huge
// expect: double-free | invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  free(p);
  if (!GOOD) free(p + 16);
  return end();
}
