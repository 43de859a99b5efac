// free of an address that no heap gave goes to libc, whose message and signal those are.
// @exit SIGABRT
// @stderr ^free\(\): invalid pointer|^munmap_chunk\(\): invalid pointer
#include <stdlib.h>

int main(void) {
  static _Alignas(16) char block[256];
  char* volatile p = block + 32;
  free(p);
  return 0;
}
