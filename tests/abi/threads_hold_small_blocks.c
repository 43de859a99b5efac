// Six hundred threads with twelve small blocks each: what they take beyond
// these, next to their stacks, is a few pages each.
// @only mmt
// @timeout 120

#include "support/waiting_threads.h"

int main(void) {
  size_t held = run_waiting_threads((struct WaitingThreads){600, 12, 4, 512});
  EXPECT(held < 28 << 20, "%zu KiB", held >> 10);
  return 0;
}
