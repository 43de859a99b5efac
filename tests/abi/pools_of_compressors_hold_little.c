// As pools_of_threads_hold_little, with a compressor's four tables and fewer threads.
// @only mmt
// @timeout 120

#include "support/thread_pool.h"

int main(void) {
  static const size_t sizes[] = {65536, 65536, 131072, 131072};
  run_pools(3, (struct Pool){27, 4, sizes}, 9 << 20);
  return 0;
}
