// With one usable CPU there is no memory thread, and all works.
// @launch taskset -c 0

#include "support/processes.h"

int main(void) {
  allocate_volume(256);
  EXPECT(thread_count() == 1, "%zu threads", thread_count());
  return 0;
}
