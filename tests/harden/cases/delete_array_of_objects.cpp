// An array of objects with destructors is deleted as one: its count lies before the first.
// sizes: small
// expect: invalid-free
#include <new>

#include "harden/case.h"

struct Object {
  ~Object() { value = 0; }
  long value = 1;
};
int main() {
  Object* volatile p = new Object[3];
  if (GOOD)
    delete[] p;
  else
    delete p;
  return end();
}
