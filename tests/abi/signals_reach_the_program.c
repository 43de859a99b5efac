// Signals sent to the process reach the program's own threads. The memory thread blocks them all,
// so a handler never runs on a thread that the program does not know.

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "support/expect.h"

static pid_t main_tid;
static volatile int seen = 0;

static void handler(int signal_number) {
  (void)signal_number;
  if (syscall(SYS_gettid) != main_tid) (void)!write(2, "handler on a stranger\n", 22), _exit(1);
  seen = seen + 1;
}

int main(void) {
  main_tid = (pid_t)syscall(SYS_gettid);
  struct sigaction action = {.sa_handler = handler};
  EXPECT(sigaction(SIGTERM, &action, NULL) == 0);
  EXPECT(sigaction(SIGCHLD, &action, NULL) == 0);
  // Enough allocation for the memory thread to start.
  enum { kMany = 200000 };
  static void* many[kMany];
  for (int i = 0; i < kMany; ++i) memset(many[i] = malloc(300), 1, 300);
  sigset_t mask, before;
  sigemptyset(&mask);
  sigaddset(&mask, SIGTERM);
  sigaddset(&mask, SIGCHLD);
  for (int i = 0; i < 500; ++i) {
    int was = seen;
    // Blocked here: the kernel looks for any other thread that would take it.
    pthread_sigmask(SIG_BLOCK, &mask, &before);
    EXPECT(kill(getpid(), i % 2 ? SIGTERM : SIGCHLD) == 0);
    for (int k = 0; k < 100; ++k) free(many[i * 100 + k]);
    usleep(200);
    EXPECT(seen == was);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    EXPECT(seen == was + 1);
  }
  return 0;
}
