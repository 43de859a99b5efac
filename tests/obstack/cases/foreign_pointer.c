// Freeing what is in no chunk of the obstack aborts.
#include <signal.h>
#include <sys/wait.h>

#include "obstack/obstack_case.h"

static struct obstack h, other;

static void expect_abort(void* object) {
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    obstack_free(&h, object);
    _exit(99);
  }
  int how = 0;
  EXPECT(waitpid(child, &how, 0) == child);
  EXPECT(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT, "ended with %x", how);
}

int main(void) {
  static char outside[10];
  obstack_init(&h);
  obstack_init(&other);
  for (int i = 0; i < 1000; ++i) obstack_alloc(&h, 100);
  expect_abort(outside);
  expect_abort(obstack_alloc(&other, 10));
  expect_abort(&h);
  obstack_free(&h, NULL);
  obstack_free(&other, NULL);
  EXPECT(live_chunks == 0);
  puts("aborted three times");
  return 0;
}
