// An object is deleted as its base, whose destructor is not virtual.
// sizes: small
// expect: size-mismatch
#include <new>

#include "harden/case.h"

struct Base {
  long first = 1;
};
struct Derived : Base {
  long second[5] = {};
};
int main() {
  if (GOOD) {
    Derived* volatile p = new Derived;
    delete p;
  } else {
    Base* volatile p = new Derived;
    delete p;
  }
  return end();
}
