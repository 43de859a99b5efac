// A handler of a timer frees what main has freed, while main allocates and frees.
// expect: double-free
#include <signal.h>
#include <sys/time.h>

#include "harden/case.h"

static void* volatile p;
static volatile sig_atomic_t has_come = 0;
static void give(int number) {
  has_come = number;
  free(p);
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  p = malloc(n);
  if (!GOOD) free(p);
  signal(SIGALRM, give);
  const struct itimerval soon = {{0, 0}, {0, 2000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  while (!has_come) free(malloc(2000));
  return end();
}
