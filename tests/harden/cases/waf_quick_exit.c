// A freed block is written, and the program ends by quick_exit.
// sizes: small page
// expect: write-after-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  p[0] = 'x';
  if (GOOD) free(p);
  quick_exit(end());
}
