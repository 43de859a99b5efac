// An address inside a block is freed.
// sizes: small page large huge 100 1000 30000
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  free(GOOD ? p : p + 16);
  return end();
}
