// An array is deleted twice.
// sizes: small page large huge
// expect: double-free
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = new char[n];
  delete[] p;
  if (!GOOD) delete[] p;
  return end();
}
