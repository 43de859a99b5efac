// The second page of a block is freed.
// sizes: 8192 30000 large huge
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  free(GOOD ? p : p + 4096);
  return end();
}
