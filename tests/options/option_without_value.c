// An option without its value: one line that names it, and the program runs.
// @env MMT_OPTIONS=decay
// @stderr[mmt] \Ammt: .*decay.*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
