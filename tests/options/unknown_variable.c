// A variable MMT_* that is no option: one line that names it, and the program runs.
// @env MMT_NONSENSE=1
// @stderr[mmt] \Ammt: .*(nonsense|NONSENSE).*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
