// An element of a vector is written by a reference from before it grew.
// sizes: small page
// expect: write-after-free
#include <vector>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  {
    std::vector<int> all(n / 4);
    if (GOOD) all.reserve(10 * n);
    int& first = all[0];
    for (size_t i = 0; i < n; ++i) all.push_back(1);
    *const_cast<volatile int*>(&first) = 12345;
  }
  return end();
}
