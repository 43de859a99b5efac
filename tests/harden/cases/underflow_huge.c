// The byte before a block with a mapping of its own is written.
// sizes: huge
// expect: underflow | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  change(GOOD ? p : p - 1);
  free(p);
  return end();
}
