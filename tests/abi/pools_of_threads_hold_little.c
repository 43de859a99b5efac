// A server of several processes, each with a pool of threads: a request needs some larger blocks,
// as a compressor's, for its own time only. Whichever thread serves, what a process has freed is
// kept for all of them, not once for each.
// @only mmt
// @timeout 120

#include "support/thread_pool.h"

int main(void) {
  static const size_t sizes[] = {6000, 40000, 65536, 131072, 200000};
  run_pools(4, (struct Pool){40, 5, sizes}, 10 << 20);
  return 0;
}
