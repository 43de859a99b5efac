// A function that runs at exit writes to a block that was freed before.
// sizes: small page
// expect: write-after-free
#include "harden/case.h"

static char* volatile p;
static void put(void) {
  p[0] = 'x';
  if (GOOD) free(p);
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  atexit(put);
  p = malloc(n);
  if (!GOOD) free(p);
  return end();
}
