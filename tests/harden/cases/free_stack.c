// A variable on the stack is freed.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main() {
  char variable[64] __attribute__((aligned(16))) = "stack";
  void* volatile p = GOOD ? malloc(64) : variable;
  free(p);
  return end();
}
