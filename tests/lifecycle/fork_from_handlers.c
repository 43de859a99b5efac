// Signal handlers fork, wherever they find their thread: also while it holds a lock that the memory
// thread waits for. The child ends at once; nobody hangs.
// @only layered protocol
// @without glibc libjemalloc.so.2 libtcmalloc_minimal.so.4 (whose fork takes their locks)
// @timeout[protocol] 280

#include <sys/time.h>

#include "support/processes.h"

enum { kForks = 60 };
static volatile int forks = 0;

// Once, so that the program goes on however long a fork takes.
static void interrupt_soon(void) {
  const struct itimerval soon = {.it_value.tv_usec = 2000};
  EXPECT(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

static void fork_here(int signal_number) {
  (void)signal_number;
  const int kept = errno;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) {
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (++forks < kForks) interrupt_soon();
  }
  errno = kept;
}

int main(void) {
  static void* slots[1000];
  EXPECT(signal(SIGALRM, fork_here) != SIG_ERR);
  interrupt_soon();
  uint64_t seed = 1;
  const double end = seconds_now() + 60;
  while (forks < kForks && seconds_now() < end) {
    for (int i = 0; i < 1000; ++i) {
      const uint64_t r = next_random(&seed);
      free(slots[r % 1000]);
      slots[r % 1000] = malloc(r / 1000 % 300);
    }
  }
  EXPECT(forks >= kForks, "%d", forks);
  return 0;
}
