// The byte before a block that was freed is written; no other of its size has been allocated.
// sizes: small page large
// expect: underflow | write-after-free | fault
// expect large: underflow | write-after-free | overflow | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  change(GOOD ? p : p - 1);
  if (GOOD) free(p);
  return end();
}
