// A time that is no whole number: one line that names it and its unit, and the program runs.
// @env MMT_DECAY=0.5
// @stderr[mmt] \Ammt: MMT_DECAY=0\.5: not a whole number \(0\.\.3600000 milliseconds\).*\n\Z
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return puts("ran") < 0;
}
