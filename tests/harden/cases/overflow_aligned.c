// A byte is written behind an aligned block.
// sizes: small page large 100
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = aligned_alloc(64, n);
  change(GOOD ? p : p + n);
  free(p);
  return end();
}
