// A block is freed by the address of the word before it.
// sizes: small page large huge
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  free(GOOD ? p : p - 8);
  return end();
}
