// A thousand threads with five blocks each, of any size up to 4,000 bytes: what they take beyond
// these, next to their stacks, is a few pages each.
// @only mmt
// @timeout 120

#include "support/waiting_threads.h"

int main(void) {
  size_t held = run_waiting_threads((struct WaitingThreads){1000, 5, 5, 3985});
  EXPECT(held < 50 << 20, "%zu KiB", held >> 10);
  return 0;
}
