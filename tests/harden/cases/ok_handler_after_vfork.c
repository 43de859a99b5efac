// A child of vfork has signals of its own: what it sets does not change its parent's.
// sizes: small
// expect: ok
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

#include "harden/case.h"

static sigjmp_buf back;
static void on_fault(int number) { siglongjmp(back, number); }

int main(void) {
  signal(SIGSEGV, on_fault);
  const pid_t child = vfork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    signal(SIGTERM, SIG_IGN);
    execl("/bin/true", "true", (char*)NULL);
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  struct sigaction now;
  sigaction(SIGSEGV, NULL, &now);
  if (status != 0 || now.sa_handler != on_fault) return 2;
  if (sigsetjmp(back, 1) == 0) *(volatile char*)8 = 1;
  sigaction(SIGTERM, NULL, &now);
  return end_if(now.sa_handler == SIG_DFL);
}
