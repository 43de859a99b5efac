// A count of references is decremented once too often, after the object has gone.
// sizes: small
// expect: write-after-free
#include <new>

#include "harden/case.h"

struct Shared {
  void drop() {
    if (--count == 0) delete this;
  }
  long count = 2;
};
int main() {
  Shared* volatile p = new Shared;
  p->drop();
  p->drop();
  if (!GOOD) p->drop();
  return end();
}
