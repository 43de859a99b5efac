// A wrong value in the option's own variable: one line that names it, and the program runs.
// @env MMT_FOLLOW=perhaps
// @stderr[mmt] \Ammt: MMT_FOLLOW=perhaps: .*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
