// @ours-only
// A handler that returns, which it must not, does not lead to a null pointer in use: SIGABRT.
#include <signal.h>
#include <sys/wait.h>

#include "obstack/obstack_case.h"

static void* no_chunk(CHUNK_LENGTH bytes) {
  (void)bytes;
  return NULL;
}
static void come_back(void) {}

int main(void) {
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    struct obstack h;
    obstack_alloc_failed_handler = come_back;
    obstack_specify_allocation(&h, 0, 0, no_chunk, counted_free);
    _exit(99);
  }
  int how = 0;
  EXPECT(waitpid(child, &how, 0) == child);
  EXPECT(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT, "ended with %x", how);
  return 0;
}
