// A static variable is freed.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

static char variable[64] __attribute__((aligned(16)));
int main() {
  void* volatile p = GOOD ? malloc(64) : variable;
  free(p);
  return end();
}
