// An address of a large block is freed that begins a part of the heap's own.
// sizes: large 3000000
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  free(GOOD ? p : p + 65536);
  return end();
}
