// quiet=on silences complaints about options too.
// @env MMT_OPTIONS=quiet=on:nonsense=1
// @stderr-not .
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return 0;
}
