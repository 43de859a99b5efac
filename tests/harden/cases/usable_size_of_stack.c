// A variable on the stack is asked for its size.
// sizes: small
// expect: invalid-free
#include <malloc.h>

#include "harden/case.h"

int main() {
  char variable[64] __attribute__((aligned(16))) = "stack";
  void* volatile p = GOOD ? malloc(64) : variable;
  return end_if(malloc_usable_size(p) == (GOOD ? 64 : 0));
}
