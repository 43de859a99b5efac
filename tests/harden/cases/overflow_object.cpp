// The member behind an object is written, as a derived type has it.
// sizes: small
// expect: overflow
#include <new>

#include "harden/case.h"

struct Base {
  long first[3];
};
struct Derived : Base {
  long second;
};
int main() {
  if (GOOD) {
    delete new Derived;
    return end();
  }
  Base* volatile p = new Base;
  static_cast<Derived*>(p)->second = 12345;
  delete p;
  return end();
}
