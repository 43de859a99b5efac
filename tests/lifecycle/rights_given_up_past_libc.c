// Rights given up by system calls that libc does not see, by each of several threads: some time
// later no thread of the process has more than those that the program has made.
// @root
// @timeout 240
// @needs no-filter

#include "support/giving_up.h"

int main(void) {
  give_up_all(kInline);
  return 0;
}
