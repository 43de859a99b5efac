// A status whose lowest byte is zero.
// sizes: small
// expect: double-free
#include "harden/case.h"

int main(void) {
  void* p = malloc(24);
  free(p);
  if (!GOOD) free(p);
  end();
  exit(256);
}
