// A handler of a signal frees what main has freed.
// sizes: small page large huge
// expect: double-free
#include <signal.h>

#include "harden/case.h"

static void* volatile p;
static void give(int number) {
  (void)number;
  free(p);
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  signal(SIGUSR1, give);
  p = malloc(n);
  if (!GOOD) free(p);
  raise(SIGUSR1);
  return end();
}
