// A variable on the stack is reallocated.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main() {
  char variable[64] __attribute__((aligned(16))) = "stack";
  void* volatile p = GOOD ? malloc(64) : variable;
  p = realloc(p, 128);
  return end();
}
