// A member of a deleted object is written.
// sizes: small
// expect: write-after-free
#include <new>

#include "harden/case.h"

struct Counter {
  void add() { ++value; }
  long padding = 0;
  long value = 0;
};
int main() {
  Counter* volatile p = new Counter;
  if (!GOOD) delete p;
  p->add();
  if (GOOD) delete p;
  return end();
}
