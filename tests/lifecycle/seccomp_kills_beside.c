// A program goes on allocating when it confines itself, on pain of death, to what its allocator
// calls. The program confines its own thread or all, before its heap has grown or after. A child
// that the program forks goes on allocating, too.
// @only protocol glibc layered peer
// @without harden

#include "support/processes.h"
#include "support/seccomp.h"

static void confine(bool all_threads) {
  static const int calls[] = {
      // The allocator's.
      SYS_brk,
      SYS_mmap,
      SYS_munmap,
      SYS_mremap,
      SYS_mprotect,
      SYS_madvise,
      SYS_futex,
      // The program's.
      SYS_clone,
      SYS_rt_sigprocmask,
      SYS_gettid,
      SYS_set_robust_list,
      SYS_rseq,
      SYS_wait4,
      SYS_clock_nanosleep,
      SYS_exit_group,
      SYS_write,
  };
  struct call_filter filter;
  make_filter(&filter, calls, sizeof calls / sizeof calls[0], SECCOMP_RET_ALLOW,
              SECCOMP_RET_KILL_PROCESS);
  if (all_threads) {
    const unsigned flags = SECCOMP_FILTER_FLAG_TSYNC;
    EXPECT(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter.whole) == 0);
  } else {
    EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter.whole) == 0);
  }
}

static void allocate(void* arg) {
  (void)arg;
  allocate_volume(16);
}

enum { kLate = 1, kAllThreads = 2 };

static void confined(void* arg) {
  const uintptr_t how = (uintptr_t)arg;
  free(malloc(100));  // an allocator's first call may take more
  if (how & kLate) allocate_volume(16);
  confine((how & kAllThreads) != 0);
  allocate_volume(16);
  for (size_t bytes = 16; bytes < (size_t)4 << 20; bytes *= 2) free(calloc(1, bytes));
  expect_success(fork_child(allocate, NULL));
}

int main(void) {
  for (uintptr_t how = 0; how < 4; ++how) expect_success(fork_child(confined, (void*)how));
  return 0;
}
