// More bytes are set than a block has.
// sizes: small page large 1 13 100 1000
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  memset(p, 'x', GOOD ? n : n + 8);
  free(p);
  return end();
}
