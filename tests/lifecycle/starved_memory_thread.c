// Real-time threads of the program occupy every CPU, so the memory thread gets nearly none of it.
// The program goes on at full speed and forks, and its memory does not run away. (The kernel's
// real-time limit leaves a twentieth to the others.) Ordinary threads do what they can where
// real-time threads are refused.
// Children that have started a memory thread are another matter, and those of a hardened heap do
// so early. A parent of a higher real-time priority waits for them by spinning in the kernel. Their
// threads wait for its CPU meanwhile, with any allocator.
// @timeout 120
// @without harden
// @serial

#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include "support/processes.h"

enum { kThreads = 8 };
static long rounds[kThreads];
static volatile int stop = 0;

static void* occupy(void* arg) {
  size_t me = (size_t)arg;
  struct sched_param priority = {.sched_priority = 10};
  pthread_setschedparam(pthread_self(), SCHED_RR, &priority);  // where that is allowed
  void* slots[1000] = {0};
  uint64_t seed = me;
  for (; !stop; ++rounds[me]) {
    uint64_t r = next_random(&seed);
    free(slots[r % 1000]);
    slots[r % 1000] = malloc(r / 1000 % (r % 50 == 0 ? 40000 : 600));
  }
  for (int i = 0; i < 1000; ++i) free(slots[i]);
  return NULL;
}

static void child(void* arg) {
  (void)arg;
  for (size_t i = 0; i < 1000; ++i) free(malloc(i * 7));
}

int main(void) {
  allocate_volume(64);
  pthread_t threads[kThreads];
  for (size_t t = 0; t < kThreads; ++t)
    EXPECT(pthread_create(&threads[t], NULL, occupy, (void*)t) == 0);
  struct sched_param priority = {.sched_priority = 11};
  const int refused = pthread_setschedparam(pthread_self(), SCHED_RR, &priority);
  // Containers withhold the right from their root.
  if (geteuid() == 0 && prctl(PR_CAPBSET_READ, CAP_SYS_NICE) == 1)
    EXPECT(refused == 0, "%d", refused);
  double slowest = 0;
  for (int i = 0; i < 20; ++i) {
    usleep(100000);
    double start = seconds_now();
    pid_t pid = fork_child(child, NULL);
    if (seconds_now() - start > slowest) slowest = seconds_now() - start;
    expect_success(pid);
  }
  stop = 1;
  long total = 0;
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL), total += rounds[t];
  printf("%ld rounds, slowest fork %.1f ms\n", total, slowest * 1e3);
  EXPECT(total > 200000, "%ld", total);
  EXPECT(resident_bytes() < (size_t)300 << 20, "%zu", resident_bytes());
  return 0;
}
