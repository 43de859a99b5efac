// A byte is written to a block of no bytes.
// sizes: 0
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n + GOOD);
  change(p);
  free(p);
  return end();
}
