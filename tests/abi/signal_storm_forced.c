// The signals that the kernel forces arrive inside the heap's own steps too, as a timer sends them.
// Their handler allocates and frees, on several threads.
// @only mmt
// @soak 600
#define STORM_SIGNAL storm_signal
#include <signal.h>
static int storm_signal = SIGSEGV;
#include "support/signal_storm.h"

enum { kThreads = 3 };
static struct Storm storms[kThreads];
static double seconds = 1;

static void* work(void* arg) {
  struct Storm* s = arg;
  memset(s, 0, sizeof *s);
  storm_start(s, (uint64_t)(s - storms) + 5, 20000);
  EXPECT(storm_victim(s, seconds, (uint64_t)(s - storms) + 2) > 0);
  storm_stop(s);
  EXPECT(s->signals > 100, "%ld", s->signals);
  return NULL;
}

int main(int argc, char** argv) {
  static const int forced[] = {SIGSEGV, SIGBUS, SIGSYS, SIGTRAP, SIGILL, SIGFPE};
  if (argc > 1) seconds = atof(argv[1]) / 6;
  for (int i = 0; i < 6; ++i) {
    pthread_t threads[kThreads];
    storm_signal = forced[i];
    storm_install(0);
    for (int t = 0; t < kThreads; ++t)
      EXPECT(pthread_create(&threads[t], NULL, work, &storms[t]) == 0);
    for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
    signal(forced[i], SIG_IGN);
  }
  return 0;
}
