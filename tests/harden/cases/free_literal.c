// A string literal is freed.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main() {
  const char* volatile p = GOOD ? strdup("a literal") : "a literal";
  free((void*)p);
  return end();
}
