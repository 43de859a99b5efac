// A vfork's child is the first to allocate much. Whatever the child starts would end with the
// child, and the parent, whose memory this is, would wait for it.

#include "support/processes.h"

static void allocate_much(void) {
  static void* slots[1000];
  uint64_t seed = 1;
  for (int i = 0; i < 50000; ++i) {
    const uint64_t r = next_random(&seed);
    free(slots[r % 1000]);
    slots[r % 1000] = malloc(1 + r / 1000 % 300);
    EXPECT(slots[r % 1000] != NULL);
  }
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    const pid_t child = vfork();
    EXPECT(child >= 0);
    if (child == 0) {
      allocate_much();
      _exit(7);
    }
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%d", status);
  }
  allocate_much();
  return 0;
}
