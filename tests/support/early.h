// Runs the program once more with libraries behind the allocator, which are relocated before it.
// The later one of two that are named so is relocated first.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include "support/expect.h"

// `library` lies beside the program. In its child main has an argument.
__attribute__((unused)) static void run_before_allocator(char** argv, const char* library,
                                                         bool bind_now) {
  const char* own = getenv("LD_PRELOAD");
  const int folder = (int)(strrchr(argv[0], '/') - argv[0]);
  char preload[8192];
  snprintf(preload, sizeof preload, "%s %.*s/lib_early_user.so %.*s/%s", own != NULL ? own : "",
           folder, argv[0], folder, argv[0], library);
  const pid_t child = fork();
  if (child == 0) {
    setenv("LD_PRELOAD", preload, 1);
    if (bind_now) setenv("LD_BIND_NOW", "1", 1);
    execl(argv[0], argv[0], "child", NULL);
    _exit(99);
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "%s: status %x", preload, status);
}
