// A static array is reallocated.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

static char variable[64] __attribute__((aligned(16)));
int main() {
  void* volatile p = GOOD ? malloc(64) : variable;
  p = realloc(p, 128);
  return end();
}
