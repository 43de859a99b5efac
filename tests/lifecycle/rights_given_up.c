// Rights given up through libc's names and by its syscall(), by each of several threads: no thread
// of the process has more than those that the program has made, when the call returns, and later.
// @root
// @timeout 240
// @needs no-filter

#include "support/giving_up.h"

int main(void) {
  give_up_all(kByName);
  give_up_all(kBySyscall);
  return 0;
}
