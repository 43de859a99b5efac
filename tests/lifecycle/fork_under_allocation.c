// A fork's child finds no lock held and no block half made, though threads allocate without pause.
// The blocks that main held before are intact in the child. There are 60 forks beside eight such
// threads, and a tenth as many beside forty.
// @soak 20000
// @soak-timeout 7000
// @timeout 120
// @timeout[protocol] 280

#include <pthread.h>

#include "support/processes.h"

enum { kFew = 8, kMany = 40, kKept = 500 };
static void* kept[kKept];

static void child(void* arg) {
  (void)arg;
  alarm(25);
  for (uint64_t i = 0; i < kKept; ++i) {
    check_pattern(kept[i], 40 + i * 3, i);
    free(kept[i]);
  }
  for (size_t i = 0; i < 2000; ++i) {
    void* p = malloc(i);
    EXPECT(p != NULL);
    memset(p, 1, i);
    free(p);
  }
  free(calloc(1, 300000));
}

static double slowest;

static void fork_beside(uintptr_t threads_count, int forks) {
  pthread_t threads[kMany];
  churn_stop = 0;
  for (uintptr_t t = 0; t < threads_count; ++t)
    EXPECT(pthread_create(&threads[t], NULL, churn_thread, (void*)t) == 0);
  for (int i = 0; i < forks; ++i) {
    double start = seconds_now();
    pid_t pid = fork_child(child, NULL);
    double took = seconds_now() - start;
    if (took > slowest) slowest = took;
    expect_success(pid);
  }
  churn_stop = 1;
  for (uintptr_t t = 0; t < threads_count; ++t) pthread_join(threads[t], NULL);
}

int main(int argc, char** argv) {
  int forks = argc > 1 ? atoi(argv[1]) : 60;
  for (uint64_t i = 0; i < kKept; ++i) {
    kept[i] = malloc(40 + i * 3);
    fill_pattern(kept[i], 40 + i * 3, i);
  }
  fork_beside(kFew, forks);
  fork_beside(kMany, forks / 10);
  printf("slowest fork %.1f ms\n", slowest * 1e3);
  return 0;
}
