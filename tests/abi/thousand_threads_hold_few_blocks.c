// A thousand threads have five blocks each, of any size up to 4,000 bytes. Beyond these blocks and
// its stack, each thread takes only a few pages.
// @only mmt
// @timeout 120

#include "support/waiting_threads.h"

int main(void) {
  size_t held = run_waiting_threads((struct WaitingThreads){1000, 5, 5, 3985});
  EXPECT(held < 50 << 20, "%zu KiB", held >> 10);
  return 0;
}
