// A block is written at the place from which realloc has moved it.
// sizes: small page large
// expect: write-after-free
// expect large: write-after-free | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  char* volatile moved = p;
  for (size_t bytes = 2 * n; moved == p; bytes *= 2) moved = realloc(p, bytes);
  *(GOOD ? moved : p) = 'x';
  free(moved);
  return end();
}
