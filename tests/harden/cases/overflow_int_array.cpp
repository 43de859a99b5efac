// The element behind an array is written.
// sizes: small page large huge
// expect: overflow
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  int* volatile p = new int[n / 4];
  p[GOOD ? 0 : n / 4] = 12345;
  delete[] p;
  return end();
}
