// Statistics to a folder that does not exist: one line that names it, and the program runs.
// @env MMT_OPTIONS=stats=/no/such/folder/x
// @stderr[mmt] \Ammt: .*/no/such/folder/x.*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
