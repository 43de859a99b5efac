// Large blocks leave no part of the heap unlocked in a program that has locked all its memory.
// These are blocks that grow, and blocks that take the place of others.
// @only mmt
// @needs locked-memory

#include <sys/mman.h>
#include <sys/syscall.h>

#include "support/processes.h"

enum { kBlocks = 24, kRounds = 12, kMiB = 1 << 20, kMost = 64 };

// Sizes differ from round to round, so that what is free lies in pieces.
static void use_large_blocks(void) {
  static char* blocks[kBlocks];
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kBlocks; ++i) {
      const size_t bytes = (size_t)(1 + (i * 7 + round * 5) % 9) << 19;
      EXPECT((blocks[i] = malloc(bytes)) != NULL);
      memset(blocks[i], 1, bytes);
      if (i % 3 != 0) continue;
      EXPECT((blocks[i] = realloc(blocks[i], bytes + kMiB)) != NULL);
      memset(blocks[i], 2, bytes + kMiB);
    }
    for (int i = 0; i < kBlocks; ++i) free(blocks[i * 5 % kBlocks]);
  }
}

static void lock_and_use(void* raw) {
  allocate_volume(8);
  const long flags = MCL_CURRENT | MCL_FUTURE;
  if ((raw != NULL ? syscall(SYS_mlockall, flags) : mlockall((int)flags)) != 0) _exit(77);
  const size_t unlocked = status_value("VmSize:") - status_value("VmLck:");
  use_large_blocks();
  const size_t now = status_value("VmSize:") - status_value("VmLck:");
  EXPECT(now <= unlocked + kMost, "%zu KiB are not locked, %zu were", now, unlocked);
}

int main(void) {
  for (int raw = 0; raw < 2; ++raw) {
    const int status = wait_status(fork_child(lock_and_use, raw ? &raw : NULL), 30);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return 77;
    EXPECT(status == 0, "raw %d: child status %#x", raw, (unsigned)status);
  }
  return 0;
}
