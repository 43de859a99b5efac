// The element before an array is written.
// sizes: small 100 page
// expect: underflow
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  int* arrays[8];
  for (int*& array : arrays) array = new int[n / 4];
  int* volatile p = arrays[0];
  for (int* array : arrays)
    if (array > p) p = array;
  p[GOOD ? 0 : -1] = 12345;
  delete[] p;
  return end();
}
