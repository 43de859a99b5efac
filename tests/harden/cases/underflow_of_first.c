// The byte before a block is written; no other of its size has been allocated.
// sizes: small page large
// expect: underflow | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  change(GOOD ? p : p - 1);
  free(p);
  return end();
}
