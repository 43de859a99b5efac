// As pools_of_threads_hold_little, in one process, with more threads and other sizes.
// @only mmt
// @timeout 120

#include "support/thread_pool.h"

int main(void) {
  static const size_t sizes[] = {36000, 90000, 100000, 150000, 180000, 250000};
  run_pools(1, (struct Pool){70, 6, sizes}, 14 << 20);
  return 0;
}
