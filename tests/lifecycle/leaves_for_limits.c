// There is no memory thread where the CPU time or the tasks are limited. None is started under the
// limit. A memory thread that runs ends before the call that sets the limit returns. Nothing is
// said of it.
// @stderr-not .
// @only mmt
// @memory-thread

#include <sys/syscall.h>

#include "support/threads.h"

enum kind { kSetrlimit, kPrlimit, kSyscall };

struct limit {
  int resource;
  enum kind kind;
};

static void set(struct limit limit) {
  const bool time = limit.resource == RLIMIT_CPU;
  const struct rlimit value = {time ? 1000 : 500, RLIM_INFINITY};
  struct rlimit now;
  EXPECT(getrlimit(limit.resource, &now) == 0);
  const struct rlimit wanted = {value.rlim_cur, now.rlim_max};
  switch (limit.kind) {
    case kSetrlimit:
      EXPECT(setrlimit((__rlimit_resource_t)limit.resource, &wanted) == 0);
      return;
    case kPrlimit:
      EXPECT(prlimit(0, (enum __rlimit_resource)limit.resource, &wanted, NULL) == 0);
      return;
    case kSyscall:
      EXPECT(syscall(SYS_prlimit64, 0, limit.resource, &wanted, NULL) == 0);
  }
}

static void lift(struct limit limit) {
  struct rlimit now;
  EXPECT(getrlimit(limit.resource, &now) == 0);
  now.rlim_cur = now.rlim_max;
  EXPECT(setrlimit((__rlimit_resource_t)limit.resource, &now) == 0);
}

static void before(void* arg) {
  set(*(const struct limit*)arg);
  allocate_volume(128);
  EXPECT(thread_count() == 1);
}

static void while_it_runs(void* arg) {
  const struct limit limit = *(const struct limit*)arg;
  EXPECT(memory_thread() != 0);
  set(limit);
  EXPECT(thread_count() == 1);
  allocate_volume(64);
  EXPECT(thread_count() == 1);
  lift(limit);
  EXPECT(memory_thread() != 0);
}

// Other limits are nothing to it.
static void another(void* arg) {
  (void)arg;
  EXPECT(memory_thread() != 0);
  struct rlimit files;
  EXPECT(getrlimit(RLIMIT_NOFILE, &files) == 0 && setrlimit(RLIMIT_NOFILE, &files) == 0);
  EXPECT(thread_count() == 2);
}

int main(void) {
  struct limit limits[] = {{RLIMIT_CPU, kSetrlimit},
                           {RLIMIT_NPROC, kSetrlimit},
                           {RLIMIT_NPROC, kPrlimit},
                           {RLIMIT_NPROC, kSyscall}};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    expect_success(fork_child(before, &limits[i]));
    expect_success(fork_child(while_it_runs, &limits[i]));
  }
  expect_success(fork_child(another, NULL));
  return 0;
}
