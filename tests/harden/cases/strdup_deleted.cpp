// What a function of libc gave is deleted.
// sizes: small
// expect: type-mismatch
#include <new>

#include "harden/case.h"

int main() {
  char* volatile p = strdup("what strdup gives is malloc's");
  GOOD ? free(p) : delete p;
  return end();
}
