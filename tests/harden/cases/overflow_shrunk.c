// A byte is written behind a block that has shrunk, where it once had bytes.
// sizes: small page large huge 100
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = realloc(malloc(n), n - 5);
  change(GOOD ? p : p + n - 5);
  free(p);
  return end();
}
