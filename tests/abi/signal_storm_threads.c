// Four threads, each with a storm of its own, passing blocks to each other through the boxes.
// @only mmt protocol
// @soak 600

#include "support/signal_storm.h"

enum { kThreads = 4 };
static struct Storm storms[kThreads];
static double seconds = 3;

static void* work(void* arg) {
  struct Storm* s = arg;
  size_t me = (size_t)(s - storms);
  storm_start(s, me, 40000);
  for (int i = 0; i < 10; ++i)
    storm_victim(&storms[(me + 1) % kThreads], seconds / 10, me * 100 + (size_t)i);
  storm_stop(s);
  EXPECT(s->signals > 200, "%ld", s->signals);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) seconds = atof(argv[1]);
  pthread_t threads[kThreads];
  storm_install(0);
  for (int t = 0; t < kThreads; ++t) EXPECT(!pthread_create(&threads[t], NULL, work, &storms[t]));
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
  for (int t = 0; t < kThreads; ++t) storm_swap_box(&storms[t], NULL);
  return 0;
}
