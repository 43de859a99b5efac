// A program that locks all it maps from now on (mlockall) makes little more resident than it uses.
// @only mmt glibc
// @needs locked-memory

#include <sys/mman.h>

#include "support/processes.h"

enum { kMiB = 1 << 20, kMost = 20 * kMiB };

static void lock_and_use(void* late) {
  if (late != NULL) allocate_volume(3);
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) _exit(77);
  for (int i = 0; i < 15000; ++i) {
    char* block = malloc(200);
    OPAQUE(block);
    memset(block, 1, 200);
  }
  EXPECT(resident_bytes() < kMost, "%zu MiB resident", resident_bytes() / kMiB);
}

int main(void) {
  for (int late = 0; late < 2; ++late) {
    const int status = wait_status(fork_child(lock_and_use, late ? &late : NULL), 30);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return 77;
    EXPECT(status == 0, "late %d: child status %#x", late, (unsigned)status);
  }
  return 0;
}
