// An unknown option: one line that names it, and the program runs.
// @env MMT_OPTIONS=nonsense=1
// @stderr[mmt] \Ammt: .*nonsense.*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
