// An object is deleted as another type of another size.
// sizes: small
// expect: size-mismatch
#include <new>

#include "harden/case.h"

struct Large {
  char bytes[300];
};
int main() {
  Large* volatile p = new Large;
  if (GOOD)
    delete p;
  else
    delete reinterpret_cast<int*>(p);
  return end();
}
