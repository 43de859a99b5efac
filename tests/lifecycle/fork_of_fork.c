// Forks of forks, eight deep, each generation allocating before and after, with threads of its own.
// @timeout 280

#include <pthread.h>

#include "support/processes.h"

static void generation(void* arg) {
  uintptr_t depth = (uintptr_t)arg;
  void* mine = malloc(1000);
  fill_pattern(mine, 1000, depth);
  allocate_volume(8);
  if (depth == 0) return;
  pthread_t t;
  churn_stop = 0;
  EXPECT(pthread_create(&t, NULL, churn_thread, (void*)depth) == 0);
  pid_t first = fork_child(generation, (void*)(depth - 1));
  pid_t second = depth > 5 ? fork_child(generation, (void*)(depth - 1)) : 0;
  expect_success(first);
  if (second) expect_success(second);
  churn_stop = 1;
  pthread_join(t, NULL);
  check_pattern(mine, 1000, depth);
  free(mine);
}

int main(void) {
  generation((void*)8);
  return 0;
}
