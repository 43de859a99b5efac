// A byte is written behind a block that begins a page.
// sizes: small page large 100
// expect: overflow
#include <malloc.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = memalign(4096, n);
  change(GOOD ? p : p + n);
  free(p);
  return end();
}
