// Memory that was locked is unlocked when it is freed: a program that locks buffer after buffer
// does not run into its limit.
// @only mmt

#include <sys/mman.h>

#include "support/processes.h"

enum { kPage = 4096, kRounds = 40, kHeld = 4 };

static void lock_and_free(size_t bytes) {
  for (int round = 0; round < kRounds; ++round) {
    char* blocks[kHeld];
    for (int i = 0; i < kHeld; ++i) {
      EXPECT(posix_memalign((void**)&blocks[i], kPage, bytes) == 0);
      EXPECT((i % 2 == 0 ? mlock(blocks[i], bytes) : mlock2(blocks[i], bytes, MLOCK_ONFAULT)) == 0,
             "round %d, %zu bytes, %zu KiB locked", round, bytes, status_value("VmLck:"));
    }
    for (int i = 0; i < kHeld; ++i) free(blocks[i]);
  }
  EXPECT(status_value("VmLck:") == 0, "%zu KiB of blocks of %zu", status_value("VmLck:"), bytes);
}

int main(void) {
  lock_and_free(4 * kPage);
  lock_and_free(200 << 10);
  lock_and_free(512 << 10);
  return 0;
}
