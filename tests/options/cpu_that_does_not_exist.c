// The memory thread cannot be bound to the CPU that was asked for: one line that names it, and the
// program runs.
// @env MMT_CPU=1000
// @stderr[mmt] \Ammt: .*CPU 1000.*'cpu'.*\n\Z
// @stdout ^ran$

#include "support/processes.h"

int main(void) {
  allocate_volume(16);
  EXPECT(setuid(getuid()) == 0);  // ends the memory thread: it has begun
  return puts("ran") < 0;
}
