// A freed block is written to, and a signal ends the program.
// sizes: 1 3 5 13 14 15 24 31
// expect: write-after-free
#include <signal.h>

#include "harden/child.h"

int main(int argc, char** argv) {
  const int number = argc > 1 ? atoi(argv[1]) : SIGTERM;
  const pid_t child = fork();
  if (child == 0) {
    char* volatile p = malloc(100);
    if (!GOOD) free(p);
    p[5] = 'x';
    if (GOOD) free(p);
    raise(number);
    _exit(2);
  }
  return end_as_child(child, number);
}
