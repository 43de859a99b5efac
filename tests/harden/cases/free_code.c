// A function is freed.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main() {
  void* volatile p = GOOD ? malloc(64) : (void*)(uintptr_t)main;
  free(p);
  return end();
}
