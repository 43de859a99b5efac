// The child of a fork frees what its parent has freed before.
// expect: double-free
#include <signal.h>
#include <sys/wait.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  if (!GOOD) free(p);
  const pid_t child = fork();
  if (child == 0) {
    free(p);
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  _exit(end() + WEXITSTATUS(status));
}
