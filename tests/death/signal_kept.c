// The signal a program dies of is its own.
// @exit SIGSEGV
#include <stdlib.h>
#include <string.h>

int main(void) {
  for (int i = 0; i < 100000; ++i) free(memset(malloc(1000), 1, 1000));
  volatile int* volatile nowhere = NULL;
  *nowhere = 1;
  return 0;
}
