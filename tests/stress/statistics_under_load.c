// mallinfo2, malloc_info, malloc_stats, malloc_trim and mallopt from one thread while others
// allocate and free: no deadlock, no crash, figures within what is possible.
// @args 5

#include <malloc.h>
#include <pthread.h>

#include "support/processes.h"

int main(int argc, char** argv) {
  double end = seconds_now() + (argc > 1 ? atof(argv[1]) : 3);
  pthread_t t[4];
  for (uintptr_t i = 0; i < 4; ++i)
    EXPECT(pthread_create(&t[i], NULL, churn_thread, (void*)i) == 0);
  FILE* sink = fopen("/dev/null", "w");
  int saved = dup(2);
  dup2(fileno(sink), 2);
  for (int round = 0; seconds_now() < end; ++round) {
    struct mallinfo2 m = mallinfo2();
    dup2(saved, 2);
    EXPECT(m.uordblks + m.hblkhd < (size_t)200 << 20, "%zu", m.uordblks);
    EXPECT(m.arena + m.hblkhd < (size_t)2 << 30, "%zu", m.arena);
    dup2(fileno(sink), 2);
    EXPECT(malloc_info(0, sink) == 0);
    malloc_stats();
    if (round % 10 == 0) malloc_trim(0);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
    usleep(1000);
  }
  churn_stop = 1;
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  return 0;
}
