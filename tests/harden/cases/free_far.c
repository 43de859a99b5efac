// An address is freed where nothing is.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main() {
  void* volatile p = GOOD ? malloc(64) : (void*)(uintptr_t)0x1234567890;
  free(p);
  return end();
}
