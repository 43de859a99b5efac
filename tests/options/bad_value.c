// A value that is none of the option's: one line that names it, and the program runs.
// @env MMT_OPTIONS=follow=perhaps
// @stderr[mmt] \Ammt: .*follow.*perhaps.*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
