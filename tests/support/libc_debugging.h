// Runs the program once more beside libc's own debugging library (mtrace, mcheck), which is
// preloaded before the allocator and behind it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include "support/expect.h"

#define LIBC_DEBUGGING "libc_malloc_debug.so.0"

// `check` is called in each; `before`: the debugging library comes first.
static int run_beside_libc_debugging(int argc, char** argv, void (*check)(int before)) {
  if (argc > 1) {
    check(argv[1][0] == 'b');
    return 0;
  }
  if (access("/lib/x86_64-linux-gnu/" LIBC_DEBUGGING, R_OK) != 0) return 77;
  const char* own = getenv("LD_PRELOAD");
  if (own == NULL) own = "";
  for (int before = 0; before < 2; ++before) {
    char preload[8192];
    snprintf(preload, sizeof preload, "%s %s", before ? LIBC_DEBUGGING : own,
             before ? own : LIBC_DEBUGGING);
    const pid_t child = fork();
    if (child == 0) {
      setenv("LD_PRELOAD", preload, 1);
      execl(argv[0], argv[0], before ? "before" : "after", NULL);
      _exit(99);
    }
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0, "%s: status %x", preload, status);
  }
  return 0;
}
