// A handler of a signal writes to a freed block.
// sizes: small page large
// expect: write-after-free
// expect large: write-after-free | fault
#include <signal.h>

#include "harden/case.h"

static char* volatile p;
static void put(int number) { p[0] = (char)number; }
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  signal(SIGUSR1, put);
  p = malloc(n);
  if (!GOOD) free(p);
  raise(SIGUSR1);
  if (GOOD) free(p);
  return end();
}
