// A program that confines itself to what malloc of glibc may call, on pain of death, goes on
// allocating: by prctl or seccomp, for one thread or all, before and after its heap has grown, and
// in a child of fork.

#include "support/processes.h"
#include "support/seccomp.h"

enum how { kByPrctl, kOneThread, kAllThreads };

static void confine(enum how how) {
  static const int calls[] = {
      SYS_read,  SYS_write,      SYS_mmap,          SYS_munmap,          SYS_mremap,
      SYS_brk,   SYS_madvise,    SYS_mprotect,      SYS_futex,           SYS_rt_sigprocmask,
      SYS_exit,  SYS_exit_group, SYS_clock_gettime, SYS_clone,           SYS_clock_nanosleep,
      SYS_wait4, SYS_getpid,     SYS_gettid,        SYS_set_robust_list,
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

static void confined(void* arg) {
  const int kind = *(const int*)arg;
  if (kind >= 3) allocate_volume(64);
  confine((enum how)(kind % 3));
  allocate_volume(64);
  expect_success(fork_child(allocate, NULL));
  _exit(0);
}

int main(void) {
  for (int kind = 0; kind < 6; ++kind) expect_success(fork_child(confined, &kind));
  return 0;
}
