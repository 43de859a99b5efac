// The program's exit status is its own.
// @exit 42
#include <stdlib.h>
#include <string.h>

int main(void) {
  for (int i = 0; i < 100000; ++i) free(memset(malloc(1000), 1, 1000));
  return 42;
}
