// A size with an unknown unit: one line that names it, and the program runs.
// @env MMT_OPTIONS=start=5X
// @stderr[mmt] \Ammt: .*start.*5X.*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
