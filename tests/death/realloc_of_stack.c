// realloc of an address that no heap gave goes to libc, whose message and signal those are.
// @exit SIGABRT
// @stderr ^realloc\(\): invalid pointer
#include <stdlib.h>

int main(void) {
  static _Alignas(16) char block[256];
  char* volatile p = block + 32;
  return realloc(p, 100) == NULL;
}
