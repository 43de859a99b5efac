// An element is written to an array of none.
// sizes: 0
// expect: overflow
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  long* volatile p = new long[n + GOOD];
  p[0] = 12345;
  delete[] p;
  return end();
}
