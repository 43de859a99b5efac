// A handler allocates on an alternate stack of the classic size.
// sizes: small
// expect: ok
#include "harden/small_stack.h"

static void on_signal(int number) {
  (void)number;
  char* p = malloc(100);
  p = realloc(memset(p, 1, 100), 5000);
  char* volatile q = malloc(1 << 20);
  q[5] = 1;
  free(q);
  free(p);
}

int main(void) {
  raise_on_small_stack(on_signal);
  return end();
}
