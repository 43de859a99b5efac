// The program binds itself to one CPU while the memory thread runs, then to others again. The
// program goes on in each state, and threads of its own choose differently.
// @needs two-cpus

#include <pthread.h>
#include <sched.h>

#include "support/processes.h"

static void bind_to(int first, int last) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = first; i <= last; ++i) CPU_SET((unsigned)i, &set);
  EXPECT(sched_setaffinity(0, sizeof set, &set) == 0);
}

static void* bound_thread(void* arg) {
  bind_to((int)(intptr_t)arg, (int)(intptr_t)arg);
  return churn_thread(arg);
}

static void child(void* arg) {
  (void)arg;
  allocate_volume(16);
}

int main(void) {
  cpu_set_t all;
  EXPECT(sched_getaffinity(0, sizeof all, &all) == 0);
  allocate_volume(64);
  for (int round = 0; round < 6; ++round) {
    bind_to(0, 0);
    allocate_volume(32);
    expect_success(fork_child(child, NULL));
    bind_to(1, 1);
    allocate_volume(32);
    EXPECT(sched_setaffinity(0, sizeof all, &all) == 0);
    allocate_volume(32);
  }
  pthread_t t[2];
  for (intptr_t i = 0; i < 2; ++i) EXPECT(pthread_create(&t[i], NULL, bound_thread, (void*)i) == 0);
  allocate_volume(128);
  churn_stop = 1;
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
