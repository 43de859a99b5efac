// A member of an object is deleted, which lies at its end.
// sizes: small
// expect: invalid-free
#include <new>

#include "harden/case.h"

struct Object {
  long first[4];
  long last;
};
int main() {
  Object* volatile p = new Object;
  if (GOOD)
    delete p;
  else
    delete &p->last;
  return end();
}
