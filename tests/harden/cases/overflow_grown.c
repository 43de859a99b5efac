// A byte is written behind a block that has grown.
// sizes: small page large huge 100
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = realloc(malloc(n), n + n / 2);
  change(GOOD ? p : p + n + n / 2);
  free(p);
  return end();
}
