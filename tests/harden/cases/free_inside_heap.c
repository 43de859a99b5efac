// An address in the heap is freed where a block could be, but none was allocated.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  char* volatile last = (char*)((uintptr_t)p | 0xffe0);
  free(GOOD ? p : last);
  return end();
}
