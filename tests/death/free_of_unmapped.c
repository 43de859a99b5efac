// free of an address where nothing is mapped goes to libc, which faults on it as it always does.
// @exit SIGSEGV
#include <stdlib.h>

int main(void) {
  char* volatile p = (char*)0x123456780;
  free(p);
  return 0;
}
