// A program goes on allocating when it confines itself, on pain of death, to its own calls and the
// library's. The library's calls are those in docs/life_cycle.md. The program confines itself by
// prctl or seccomp, for one thread or all, before and after its heap has grown. The program goes on
// in new threads and in a child of fork. It also goes on when it changes how it is scheduled, and
// its limits.
// @only mmt

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include "support/processes.h"
#include "support/seccomp.h"

enum how { kByPrctl, kOneThread, kAllThreads };

static void confine(enum how how) {
  static const int calls[] = {
      // The library's.
      SYS_mmap,
      SYS_munmap,
      SYS_mremap,
      SYS_madvise,
      SYS_rt_sigprocmask,
      SYS_futex,
      SYS_clock_gettime,
      SYS_gettid,
      SYS_sigaltstack,
      // The program's: threads, fork, the wait for its child, what it says when it fails.
      SYS_clone,
      SYS_clone3,
      SYS_mprotect,
      SYS_rseq,
      SYS_set_robust_list,
      SYS_rt_sigaction,
      SYS_exit,
      SYS_wait4,
      SYS_clock_nanosleep,
      SYS_setpriority,
      SYS_sched_setaffinity,
      SYS_prlimit64,
      SYS_exit_group,
      SYS_write,
  };
  struct call_filter filter;
  make_filter(&filter, calls, sizeof calls / sizeof calls[0], SECCOMP_RET_ALLOW,
              SECCOMP_RET_KILL_PROCESS);
  if (how == kByPrctl) {
    EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter.whole) == 0);
  } else {
    const unsigned flags = how == kAllThreads ? SECCOMP_FILTER_FLAG_TSYNC : 0;
    EXPECT(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter.whole) == 0);
  }
}

static void allocate(void* arg) {
  (void)arg;
  allocate_volume(64);
}

static void* allocate_in_thread(void* arg) {
  allocate_volume(16);
  return arg;
}

static void confined(void* arg) {
  const int kind = *(const int*)arg;
  if (kind >= 3) allocate_volume(64);
  cpu_set_t cpus;
  EXPECT(sched_getaffinity(0, sizeof cpus, &cpus) == 0);
  confine((enum how)(kind % 3));
  allocate_volume(64);
  EXPECT(setpriority(PRIO_PROCESS, 0, 1) == 0);
  EXPECT(sched_setaffinity(0, sizeof cpus, &cpus) == 0);
  EXPECT(prlimit(0, RLIMIT_CPU, &(const struct rlimit){1000, RLIM_INFINITY}, NULL) == 0);
  usleep(10000);
  allocate_volume(64);
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, allocate_in_thread, NULL) == 0);
  EXPECT(pthread_join(thread, NULL) == 0);
  expect_success(fork_child(allocate, NULL));
  _exit(0);
}

int main(void) {
  for (int kind = 0; kind < 6; ++kind) expect_success(fork_child(confined, &kind));
  return 0;
}
