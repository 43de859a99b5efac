// Handlers allocate while their thread forks, wherever in it they come: the library may hold all of
// its locks then. Nobody hangs, and what they keep is whole.
// @only mmt layered protocol
// @timeout[protocol] 280

#include <sys/time.h>

#include "support/processes.h"

enum { kForks = 300, kKept = 64 };
static unsigned char* kept[kKept];
static volatile unsigned long calls = 0;

// The program itself allocates nothing meanwhile, so that each comes within fork or between two.
static void allocate_here(int signal_number) {
  (void)signal_number;
  const int error = errno;
  const unsigned long k = calls++ % kKept;
  for (int i = 0; kept[k] != NULL && i < 100; ++i)
    EXPECT(kept[k][i] == (unsigned char)k, "%d", kept[k][i]);
  free(kept[k]);
  kept[k] = malloc(100 + k * 10);
  EXPECT(kept[k] != NULL);
  memset(kept[k], (int)k, 100);
  errno = error;
}

static void child(void* arg) {
  (void)arg;
  allocate_volume(1);
}

int main(void) {
  allocate_volume(8);
  EXPECT(signal(SIGALRM, allocate_here) != SIG_ERR);
  const struct itimerval often = {{.tv_usec = 50}, {.tv_usec = 50}};
  EXPECT(setitimer(ITIMER_REAL, &often, NULL) == 0);
  for (int i = 0; i < kForks; ++i) expect_success(fork_child(child, NULL));
  const struct itimerval never = {0};
  EXPECT(setitimer(ITIMER_REAL, &never, NULL) == 0);
  EXPECT(calls >= kForks, "%lu", calls);
  for (int k = 0; k < kKept; ++k) free(kept[k]);
  return 0;
}
