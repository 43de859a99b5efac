// A signal handler forks while its thread waits for the memory thread of a protocol, in malloc and
// in free: both processes get their answer. Elsewhere nobody waits, and the handler comes between
// two calls.
// @env MMT_PROTOCOL_OPTIONS=start=0,starve=600
// @timeout[protocol] 280

#include <sys/time.h>

#include "support/processes.h"

enum { kKept = 450 };  // two bulks of 200 fill the queues of a protocol that frees in bulk
static void* kept[kKept];
static volatile pid_t child_of_handler = -1;

static void fork_here(int signal_number) {
  (void)signal_number;
  child_of_handler = fork();
}

static void interrupted(void* in_free) {
  EXPECT(signal(SIGALRM, fork_here) != SIG_ERR);
  struct itimerval once = {.it_value.tv_usec = 200000};
  EXPECT(setitimer(ITIMER_REAL, &once, NULL) == 0);
  void* first = malloc(100);  // starts the memory thread, which sleeps after its first round
  usleep(100000);
  for (int i = 0; in_free != NULL && i < kKept; ++i) free(kept[i]);
  void* second = malloc(1000);
  EXPECT(first != NULL && second != NULL);
  while (child_of_handler < 0) usleep(1000);
  memset(second, 1, 1000);
  free(first);
  free(second);
  if (child_of_handler == 0) _exit(0);
  expect_success(child_of_handler);
}

int main(void) {
  for (size_t i = 0; i < kKept; ++i) EXPECT((kept[i] = malloc(40)) != NULL);
  expect_success(fork_child(interrupted, NULL));
  expect_success(fork_child(interrupted, kept));
  return 0;
}
