// No thread of the process has more rights than the threads that the program has made. This holds
// when a call that gives up rights returns, and later. Each of several threads gives up rights
// through libc's names and by libc's syscall().
// @root
// @timeout 240
// @needs no-filter

#include "support/giving_up.h"

int main(void) {
  give_up_all(kByName);
  give_up_all(kBySyscall);
  return 0;
}
