// Two owners have the same object.
// sizes: small
// expect: double-free
#include <memory>

#include "harden/case.h"

int main() {
  {
    long* volatile p = new long(7);
    std::unique_ptr<long> first(p);
    std::unique_ptr<long> second(GOOD ? new long(7) : p);
  }
  return end();
}
