// The memory thread of a real-time program is a real-time thread. A real-time thread beside the
// memory thread, on the same CPU, never waits for it in vain.
// @only mmt
// @root
// @memory-thread
// @needs real-time

#include <pthread.h>

#include "support/threads.h"

static void become(int policy, int priority) {
  const struct sched_param values = {priority};
  EXPECT(sched_setscheduler(0, policy, &values) == 0);
}

static void main_thread(void* arg) {
  (void)arg;
  EXPECT(memory_thread() != 0);
  become(SCHED_FIFO, 3);
  EXPECT(same_schedule(schedule_of(other_thread()), schedule_of(0)));
  allocate_volume(64);
  become(SCHED_RR, 2);
  EXPECT(same_schedule(schedule_of(other_thread()), schedule_of(0)));
  become(SCHED_OTHER, 0);
  EXPECT(same_schedule(schedule_of(other_thread()), schedule_of(0)));
}

// All CPUs but one are taken away from every thread: the memory thread runs when none of the
// real-time ones does.
static void* real_time_thread(void* arg) {
  become(SCHED_FIFO, 5);
  return churn_thread(arg);
}

static void worker_threads(void* arg) {
  (void)arg;
  EXPECT(memory_thread() != 0);
  pthread_t threads[2];
  for (uintptr_t i = 0; i < 2; ++i)
    EXPECT(pthread_create(&threads[i], NULL, real_time_thread, (void*)(i + 1)) == 0);
  usleep(700000);
  churn_stop = 1;
  for (int i = 0; i < 2; ++i) EXPECT(pthread_join(threads[i], NULL) == 0);
}

int main(void) {
  expect_success(fork_child(main_thread, NULL));
  expect_success(fork_child(worker_threads, NULL));
  return 0;
}
