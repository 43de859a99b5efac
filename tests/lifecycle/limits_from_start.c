// A program that is started with limited CPU time, or as one of few tasks, has no thread of its
// allocator's. This holds whatever the allocator is, and the program hears nothing of it.
// @stderr-not .
// @only mmt protocol glibc

#include <sys/resource.h>

#include "support/processes.h"

static void start(int resource, rlim_t most) {
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    struct rlimit limit;
    EXPECT(getrlimit((__rlimit_resource_t)resource, &limit) == 0);
    limit.rlim_cur = most;
    EXPECT(setrlimit((__rlimit_resource_t)resource, &limit) == 0);
    execl("/proc/self/exe", "self", "limited", (char*)NULL);
    _exit(98);
  }
  expect_success(child);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) {
    allocate_volume(64);
    usleep(10000);
    EXPECT(thread_count() == 1, "%zu threads", thread_count());
    return 0;
  }
  start(RLIMIT_CPU, 1000);
  start(RLIMIT_NPROC, 3000);
  return 0;
}
