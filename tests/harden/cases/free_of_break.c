// Memory of the program break is freed.
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = GOOD ? malloc(n) : sbrk((intptr_t)n + 4096);
  free(p);
  return end();
}
