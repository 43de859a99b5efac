// The memory thread of a root's process has no capability, from its start on. Nothing that this
// thread does to itself makes the process undumpable, or keeps the heap from growing under locked
// memory.
// @only mmt
// @root
// @memory-thread
// @needs no-filter

#include <sys/mman.h>

#include "support/rights.h"
#include "support/threads.h"

static bool has_none(pid_t thread) {
  const struct rights it = rights_of(thread);
  for (int i = 0; it.is_there && i < kCapabilitySets; ++i)
    if (it.capabilities[i] != 0) return false;
  return it.is_there && it.no_new_privileges == 1;
}

static void child(void* arg) {
  (void)arg;
  EXPECT(prctl(PR_GET_DUMPABLE) == 1);
  EXPECT(memory_thread() != 0);
  EXPECT_SOON(other_thread() != 0 && has_none(other_thread()));
  EXPECT(prctl(PR_GET_DUMPABLE) == 1);
  EXPECT(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
  EXPECT(mlockall(MCL_CURRENT | MCL_FUTURE) == 0);
  const struct rlimit little = {1 << 20, 1 << 20};
  EXPECT(setrlimit(RLIMIT_MEMLOCK, &little) == 0);
  void* blocks[64];
  for (int i = 0; i < 64; ++i) {
    EXPECT((blocks[i] = malloc(1 << 20)) != NULL);
    allocate_volume(1);
  }
  for (int i = 0; i < 64; ++i) free(blocks[i]);
  EXPECT(prctl(PR_GET_DUMPABLE) == 1);
}

int main(void) {
  expect_success(fork_child(child, NULL));
  return 0;
}
