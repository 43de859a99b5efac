// The memory thread has the main thread's niceness, class and CPUs: at once when the program
// changes them through libc, soon when somebody else does.
// @only mmt
// @memory-thread

#include <pthread.h>
#include <sys/syscall.h>

#include "support/threads.h"

static void expect_same_now(void) {
  const pid_t other = other_thread();
  EXPECT(other != 0);
  EXPECT(same_schedule(schedule_of(other), schedule_of(0)));
}

static cpu_set_t all_cpus;

static cpu_set_t one_cpu(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all_cpus)) return CPU_SET(cpu, &one), one;
  return one;
}

static void begin(void) { EXPECT(memory_thread() != 0); }

static void by_libc(void* arg) {
  (void)arg;
  const struct sched_param none = {0};
  const cpu_set_t one = one_cpu();
  begin();
  EXPECT(nice(3) == 3);
  expect_same_now();
  EXPECT(setpriority(PRIO_PROCESS, 0, 5) == 0);
  expect_same_now();
  EXPECT(sched_setscheduler(0, SCHED_BATCH, &none) == 0);
  expect_same_now();
  EXPECT(sched_setaffinity(0, sizeof one, &one) == 0);
  expect_same_now();
  allocate_volume(64);
  EXPECT(pthread_setaffinity_np(pthread_self(), sizeof all_cpus, &all_cpus) == 0);
  expect_same_now();
  allocate_volume(64);
  expect_same_now();
}

static void by_kernel(void* arg) {
  (void)arg;
  const struct sched_param none = {0};
  const cpu_set_t one = one_cpu();
  begin();
  EXPECT(syscall(SYS_setpriority, PRIO_PROCESS, 0, 7) == 0);
  expect_same_now();
  EXPECT(syscall(SYS_sched_setscheduler, 0, SCHED_IDLE, &none) == 0);
  expect_same_now();
  EXPECT(syscall(SYS_sched_setaffinity, 0, sizeof one, &one) == 0);
  expect_same_now();
}

// As taskset -p and renice do.
static void by_another(void* arg) {
  (void)arg;
  const cpu_set_t one = one_cpu();
  const pid_t self = getpid();
  begin();
  pid_t child = fork();
  if (child == 0) {
    EXPECT(sched_setaffinity(self, sizeof one, &one) == 0);
    EXPECT(setpriority(PRIO_PROCESS, (id_t)self, 9) == 0);
    _exit(0);
  }
  expect_success(child);
  EXPECT(getpriority(PRIO_PROCESS, 0) == 9);
  EXPECT_SOON(same_schedule(schedule_of(other_thread()), schedule_of(0)));
}

// It starts as the main thread is, whoever starts it.
static void* starts_it(void* arg) {
  const cpu_set_t one = one_cpu();
  EXPECT(sched_setaffinity(0, sizeof one, &one) == 0);
  allocate_volume(256);
  return arg;
}

static void by_a_thread(void* arg) {
  (void)arg;
  pthread_t thread;
  EXPECT(nice(2) == 2);
  EXPECT(pthread_create(&thread, NULL, starts_it, NULL) == 0);
  EXPECT(pthread_join(thread, NULL) == 0);
  EXPECT_SOON(other_thread() != 0 && same_schedule(schedule_of(other_thread()), schedule_of(0)));
}

static int cpus_of(pid_t thread) {
  const struct thread_schedule it = schedule_of(thread);
  return CPU_COUNT(&it.cpus);
}

static volatile int done = 0;

static void* runs_anywhere(void* arg) {
  allocate_volume(1);
  while (!done) usleep(1000);
  return arg;
}

// Where the main thread is bound to one CPU, and others are not, it runs where they may.
static void beside_a_thread(void* arg) {
  (void)arg;
  const cpu_set_t one = one_cpu();
  pthread_t thread;
  const pid_t other = memory_thread();
  EXPECT(other != 0);
  EXPECT(pthread_create(&thread, NULL, runs_anywhere, NULL) == 0);
  EXPECT(sched_setaffinity(0, sizeof one, &one) == 0);
  EXPECT_SOON(cpus_of(other) == CPU_COUNT(&all_cpus));
  done = 1;
  EXPECT(pthread_join(thread, NULL) == 0);
  EXPECT_SOON(cpus_of(other) == 1);
}

int main(void) {
  EXPECT(sched_getaffinity(0, sizeof all_cpus, &all_cpus) == 0);
  expect_success(fork_child(by_libc, NULL));
  expect_success(fork_child(by_kernel, NULL));
  expect_success(fork_child(by_another, NULL));
  expect_success(fork_child(by_a_thread, NULL));
  expect_success(fork_child(beside_a_thread, NULL));
  return 0;
}
