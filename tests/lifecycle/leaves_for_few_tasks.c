// The few tasks that a cgroup still lets start are the program's. No memory thread is started, and
// those that run end, so that as many processes fit as without the library. Nothing is said of it.
// @stderr-not .
// @root
// @only mmt
// @memory-thread

#include <stdio.h>

#include "support/cgroup.h"
#include "support/threads.h"

enum { kWide = 200, kWorkers = 40 };

static void allow(const char* group, int tasks) {
  char text[32];
  snprintf(text, sizeof text, "%d", tasks);
  EXPECT(cgroup_write(group, "pids.max", text), "%s", group);
}

static void works(void* arg) {
  (void)arg;
  allocate_volume(64);
  EXPECT(thread_count() == 1);
  pause();
}

static void begins_with_few(void* arg) {
  const char* group = (const char*)arg;
  cgroup_join(group);
  allow(group, kWorkers + 1);
  pid_t workers[kWorkers];
  for (int i = 0; i < kWorkers; ++i) workers[i] = fork_child(works, NULL);
  usleep(300000);
  for (int i = 0; i < kWorkers; ++i) {
    int status;
    EXPECT(waitpid(workers[i], &status, WNOHANG) == 0, "worker %d: %#x", i, (unsigned)status);
    EXPECT(kill(workers[i], SIGKILL) == 0 && waitpid(workers[i], NULL, 0) == workers[i]);
  }
}

static void comes_to_few(void* arg) {
  const char* group = (const char*)arg;
  cgroup_join(group);
  allow(group, kWide);
  EXPECT(memory_thread() != 0);
  usleep(300000);  // asleep
  allow(group, kWorkers + 1);
  const double end = seconds_now() + 20;
  while (thread_count() > 1 && seconds_now() < end) usleep(10000);
  EXPECT(thread_count() == 1);
}

int main(void) {
  char group[1024];
  if (!cgroup_make("pids", group, sizeof group)) {
    fputs("no control group can be made\n", stderr);
    return 77;
  }
  allow(group, kWide);
  void (*const bodies[])(void*) = {begins_with_few, comes_to_few};
  for (size_t i = 0; i < 2; ++i) {
    const pid_t child = fork_child(bodies[i], group);
    const int status = wait_status(child, 40);
    if (status != 0) cgroup_remove(group);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%zu: %#x", i, (unsigned)status);
  }
  cgroup_remove(group);
  return 0;
}
