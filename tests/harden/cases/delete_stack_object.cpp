// An object on the stack is deleted.
// sizes: small
// expect: invalid-free
#include <new>

#include "harden/case.h"

int main() {
  alignas(16) long variable = 1;
  long* volatile p = GOOD ? new long(1) : &variable;
  delete p;
  return end();
}
