// A handler frees a block twice on an alternate stack of the classic size.
// sizes: small
// presets: async sync debug
// expect: double-free
#include "harden/small_stack.h"

static void on_signal(int number) {
  (void)number;
  void* p = malloc(24);
  free(p);
  if (!GOOD) free(p);
}

int main(void) {
  raise_on_small_stack(on_signal);
  return end();
}
