// Handlers fork while their thread moves the program break, for which a memory thread has to keep
// still. The child's memory thread does not keep still for ever.
// @only layered protocol
// @timeout[protocol] 120

#include <pthread.h>
#include <sys/time.h>

#include "support/processes.h"

enum { kForks = 20 };
static volatile int is_child = 0;
static volatile int forks = 0;

static void interrupt_soon(void) {
  const struct itimerval soon = {.it_value.tv_usec = 3000};
  EXPECT(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

static void fork_here(int signal_number) {
  (void)signal_number;
  const pid_t child = fork();
  if (child == 0) {
    is_child = 1;
    return;
  }
  EXPECT(child > 0);
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child %d: status %x", forks, status);
  if (++forks < kForks) interrupt_soon();
}

// Enough for a memory thread to be started.
static void* allocate_much(void* argument) {
  for (int i = 0; i < 30000; ++i) {
    char* block = malloc(100);
    EXPECT(block != NULL);
    block[99] = 1;
    free(block);
  }
  return argument;
}

int main(void) {
  allocate_much(NULL);
  EXPECT(signal(SIGALRM, fork_here) != SIG_ERR);
  interrupt_soon();
  while (!is_child && forks < kForks) {
    EXPECT(sbrk(4096) != (void*)-1 && sbrk(-4096) != (void*)-1);
  }
  if (is_child) {
    signal(SIGALRM, SIG_DFL);
    alarm(30);
    allocate_much(NULL);
    pthread_t other;
    EXPECT(pthread_create(&other, NULL, allocate_much, NULL) == 0);
    EXPECT(pthread_join(other, NULL) == 0);
    _exit(0);
  }
  return 0;
}
