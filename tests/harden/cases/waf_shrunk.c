// A block is written at the place from which realloc has moved it to fewer bytes.
// sizes: page 30000
// expect: write-after-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  char* volatile moved = realloc(p, 24);
  if (moved == p) return 1;
  *(GOOD ? moved : p) = 'x';
  free(moved);
  return end();
}
