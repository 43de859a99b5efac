// A variable MMT_* that is no option: one line that names it as it was written; the program runs.
// @env MMT_NONSENSE=1
// @stderr[mmt] \Ammt: MMT_NONSENSE: unknown option.*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
