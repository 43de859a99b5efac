// A block of whole pages is written where it had pages before realloc made it smaller.
// sizes: large huge
// expect: write-after-free | overflow | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  p = realloc(p, n / 2);
  change(GOOD ? p : p + n / 2 + 20000);
  free(p);
  return end();
}
