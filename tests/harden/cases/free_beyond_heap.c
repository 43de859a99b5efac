// An address is freed that the heap has not got to yet.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  free(GOOD ? p : p + (64 << 20));
  return end();
}
