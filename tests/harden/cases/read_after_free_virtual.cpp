// A virtual function of a deleted object is called.
// sizes: small
// expect: fault
#include <new>

#include "harden/case.h"

struct Base {
  virtual ~Base() = default;
  virtual int value() { return 1; }
};
struct Derived : Base {
  int value() override { return 2; }
};
int main() {
  Base* volatile p = new Derived;
  if (!GOOD) delete p;
  const int value = p->value();
  if (GOOD) delete p;
  return end_if(value == 2);
}
