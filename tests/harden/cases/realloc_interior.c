// An address inside a block is reallocated.
// sizes: small page large huge
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  p = realloc(GOOD ? p : p + 16, 2 * n);
  return end();
}
