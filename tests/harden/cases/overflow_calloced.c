// A byte is written behind a block of calloc.
// sizes: small page large 100
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = calloc(n / 4, 4);
  change(GOOD ? p : p + n);
  free(p);
  return end();
}
