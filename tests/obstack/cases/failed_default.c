// Without a handler, a failure is told on stderr and ends the process with obstack_exit_failure.
#include <sys/wait.h>

#include "obstack/obstack_case.h"

static void* no_chunk(CHUNK_LENGTH bytes) {
  (void)bytes;
  return NULL;
}

static void expect_end(int status) {
  int ends[2];
  char text[100] = "";
  EXPECT(pipe(ends) == 0);
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    struct obstack h;
    EXPECT(dup2(ends[1], 2) == 2);
    if (status != 1) obstack_exit_failure = status;
    obstack_specify_allocation(&h, 0, 0, no_chunk, counted_free);
    _exit(99);
  }
  int how = 0;
  EXPECT(waitpid(child, &how, 0) == child);
  EXPECT(WIFEXITED(how) && WEXITSTATUS(how) == status, "ended with %x", how);
  EXPECT(read(ends[0], text, sizeof text - 1) > 0);
  EXPECT(strcmp(text, "memory exhausted\n") == 0, "said '%s'", text);
  close(ends[0]);
  close(ends[1]);
}

int main(void) {
  EXPECT(obstack_exit_failure == 1);
  expect_end(1);
  expect_end(42);
  return 0;
}
