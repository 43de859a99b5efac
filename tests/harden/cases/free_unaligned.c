// The second byte of a block is freed.
// sizes: small page large huge 1
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  free(GOOD ? p : p + 1);
  return end();
}
