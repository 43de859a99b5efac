// An object is deleted as its second base, which lies inside it.
// sizes: small
// expect: invalid-free
#include <new>

#include "harden/case.h"

struct First {
  long value[2] = {};
};
struct Second {
  long value[2] = {};
};
struct Both : First, Second {};
int main() {
  Both* volatile p = new Both;
  if (GOOD)
    delete p;
  else
    delete static_cast<Second*>(p);
  return end();
}
