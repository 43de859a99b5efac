// Each wrong option is named; right ones between them count.
// @env MMT_OPTIONS=one=1:decay=50:two=2:follow=maybe
// @stderr[mmt] one
// @stderr[mmt] two
// @stderr[mmt] follow
// @stderr-not decay
#include <stdlib.h>

int main(void) {
  free(malloc(1));
  return 0;
}
