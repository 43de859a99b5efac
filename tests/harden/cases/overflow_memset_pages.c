// Pages are set behind a block of whole pages.
// sizes: large huge
// expect: overflow | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  memset(p + n - 1, 'x', GOOD ? 1 : 100000);
  free(p);
  return end();
}
