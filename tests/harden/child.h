#pragma once
// Cases whose fault is a child's.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "harden/case.h"

// main's result, once the child has ended: by the signal `ends_by`, or by itself where that is 0.
// Its parent's status tells of its fault, or of another end.
static inline int end_as_child(pid_t child, int ends_by) {
  int status = -1;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) abort();
  const bool is_as_told = ends_by != 0 ? WIFSIGNALED(status) && WTERMSIG(status) == ends_by
                                       : WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!is_as_told) return 2;
  const int result = end();
  return GOOD ? result : 1;
}
