// An over-aligned object is deleted as a type that is not.
// sizes: small
// expect: type-mismatch
#include <new>

#include "harden/case.h"

struct alignas(64) Wide {
  char bytes[64];
};
int main() {
  Wide* volatile p = new Wide;
  if (GOOD)
    delete p;
  else
    delete reinterpret_cast<long*>(p);
  return end();
}
