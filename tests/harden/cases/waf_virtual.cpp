// A deleted object is written by a virtual function: its table is not to be found any more.
// sizes: small
// expect: write-after-free | fault
#include <new>

#include "harden/case.h"

struct Base {
  virtual ~Base() = default;
  virtual void set(long value) = 0;
};
struct Derived : Base {
  void set(long value) override { value_ = value; }
  long value_ = 0;
};
int main() {
  Base* volatile p = new Derived;
  if (!GOOD) delete p;
  p->set(7);
  if (GOOD) delete p;
  return end();
}
