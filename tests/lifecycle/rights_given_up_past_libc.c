// No thread of the process has more rights than the threads that the program has made, some time
// after rights are given up. Each of several threads gives rights up by system calls that libc does
// not see.
// @root
// @timeout 240
// @needs no-filter

#include "support/giving_up.h"

int main(void) {
  give_up_all(kInline);
  return 0;
}
