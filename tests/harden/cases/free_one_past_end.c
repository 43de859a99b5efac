// The address behind a block is freed.
// sizes: small page large huge 16 1000
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  free(GOOD ? p : p + n);
  return end();
}
