// A handler of a timer allocates and frees, amid the same of main's.
// sizes: small 1000 page
// expect: ok
#include <signal.h>
#include <sys/time.h>

#include "harden/case.h"

static volatile sig_atomic_t times = 0;
static size_t bytes;
static void use(int number) {
  (void)number;
  ++times;
  free(malloc(bytes));
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bytes = n;
  signal(SIGALRM, use);
  const struct itimerval often = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &often, NULL);
  while (times < 20) free(malloc(bytes));
  return end();
}
