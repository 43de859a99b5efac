// A number out of its range: one line that names it, and the program runs.
// @env MMT_OPTIONS=decay=-5
// @stderr[mmt] \Ammt: .*decay.*-5.*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
