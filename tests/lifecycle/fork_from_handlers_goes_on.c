// Signal handlers fork wherever they find their thread, in malloc or in another fork, and the child
// goes on from there. The interrupted call ends in both processes, and both go on to allocate.
// @only mmt layered
// @without offloaded (a program with threads of libc's own: glibc's fork waits for itself there)

#include <sys/time.h>

#include "support/processes.h"

enum { kForks = 60, kSlots = 1000 };
static volatile int forks = 0;
static volatile sig_atomic_t is_child = 0;
static void* slots[kSlots];

static void interrupt_soon(void) {
  const struct itimerval soon = {.it_value.tv_usec = 500 + forks % 7 * 300};
  EXPECT(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

static void fork_here(int signal_number) {
  (void)signal_number;
  const int kept = errno;
  const pid_t child = fork();
  if (child == 0) {
    is_child = 1;
  } else if (child > 0) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child status %#x", (unsigned)status);
    if (++forks < kForks) interrupt_soon();
  }
  errno = kept;
}

static void allocate(uint64_t* seed) {
  for (int i = 0; i < kSlots; ++i) {
    const uint64_t r = next_random(seed);
    const size_t size = 8 + r / kSlots % 300;
    free(slots[r % kSlots]);
    slots[r % kSlots] = malloc(size);
    memset(slots[r % kSlots], 1, size);
  }
}

static void end_child(uint64_t* seed) {
  allocate(seed);
  for (int i = 0; i < kSlots; ++i) free(slots[i]);
  _exit(0);
}

int main(void) {
  EXPECT(signal(SIGALRM, fork_here) != SIG_ERR);
  interrupt_soon();
  uint64_t seed = 1;
  const double end = seconds_now() + 50;
  while (forks < kForks && seconds_now() < end) {
    allocate(&seed);
    if (is_child) end_child(&seed);
    // A fork of the program's own, to be interrupted as well.
    const pid_t own = fork();
    if (own == 0) end_child(&seed);
    if (is_child) end_child(&seed);
    int status;
    while (waitpid(own, &status, 0) < 0 && errno == EINTR && !is_child) {
    }
  }
  if (is_child) end_child(&seed);
  EXPECT(forks >= kForks, "%d", forks);
  return 0;
}
