// The threads of the test's own process, as the kernel knows them: also those that libc does not.
#pragma once

#include <dirent.h>
#include <sched.h>
#include <sys/resource.h>

#include "support/processes.h"

struct thread_schedule {
  int niceness;
  int policy;
  int priority;
  cpu_set_t cpus;
};

// For a thread that has just ended, the result is a schedule that no thread has.
__attribute__((unused)) static struct thread_schedule schedule_of(pid_t thread) {
  struct thread_schedule it;
  struct sched_param values;
  memset(&it, 0, sizeof it);
  errno = 0;
  it.niceness = getpriority(PRIO_PROCESS, (id_t)thread);
  it.policy = sched_getscheduler(thread);
  const bool is_there = sched_getparam(thread, &values) == 0 &&
                        sched_getaffinity(thread, sizeof it.cpus, &it.cpus) == 0;
  EXPECT(is_there || errno == ESRCH);
  it.priority = is_there ? values.sched_priority : -1;
  return it;
}

__attribute__((unused)) static bool same_schedule(struct thread_schedule a,
                                                  struct thread_schedule b) {
  return a.niceness == b.niceness && a.policy == b.policy && a.priority == b.priority &&
         CPU_EQUAL(&a.cpus, &b.cpus);
}

// A thread that is not this process's first; 0 when there is none.
__attribute__((unused)) static pid_t other_thread(void) {
  pid_t found = 0;
  DIR* folder = opendir("/proc/self/task");
  EXPECT(folder != NULL);
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    const pid_t thread = (pid_t)atoi(entry->d_name);
    if (thread != 0 && thread != getpid()) found = thread;
  }
  closedir(folder);
  return found;
}

// Starts the memory thread, where there is to be one, by much allocation.
__attribute__((unused)) static pid_t memory_thread(void) {
  for (int i = 0; i < 40 && other_thread() == 0; ++i) allocate_volume(64);
  return other_thread();
}

// Until the condition holds, with allocation meanwhile; fails after some seconds.
#define EXPECT_SOON(condition)                                      \
  do {                                                              \
    const double end = seconds_now() + 20;                          \
    while (!(condition) && seconds_now() < end) allocate_volume(1); \
    EXPECT(condition);                                              \
  } while (0)
