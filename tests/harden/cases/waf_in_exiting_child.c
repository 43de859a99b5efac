// A child of a fork writes to what it has freed, and ends by _exit.
// sizes: small page
// expect: write-after-free
#include <signal.h>
#include <sys/wait.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  const pid_t child = fork();
  if (child == 0) {
    if (!GOOD) free(p);
    change(p);
    if (GOOD) free(p);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  _exit(end() + WEXITSTATUS(status));
}
