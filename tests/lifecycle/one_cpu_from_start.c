// With one usable CPU all works, and there is a memory thread, which only gives memory back.
// @launch taskset -c 0
// @memory-thread

#include "support/processes.h"

int main(void) {
  allocate_volume(256);
  EXPECT(thread_count() == (under_mmt() ? 2 : 1), "%zu threads", thread_count());
  return 0;
}
