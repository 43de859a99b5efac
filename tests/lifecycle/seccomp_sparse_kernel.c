// A kernel or sandbox without the newer and optional calls: each is refused with ENOSYS, then
// EPERM, from the program's first instruction. The program works.
// @without phk (whose directory of pages grows by mremap)

#include <pthread.h>

#include "support/processes.h"
#include "support/seccomp.h"

static void work_in_child(void* arg) {
  (void)arg;
  allocate_volume(32);
}
static void* work(void* arg) {
  work_in_child(arg);
  return arg;
}

int main(int argc, char** argv) {
  static const int kCalls[] = {SYS_madvise,
                               SYS_membarrier,
                               SYS_sched_getaffinity,
                               SYS_sched_setaffinity,
                               SYS_sched_setscheduler,
                               SYS_getcpu,
                               SYS_getrusage,
                               SYS_prctl,
                               SYS_process_madvise,
                               SYS_mremap,
                               SYS_rseq,
                               SYS_setpriority,
                               SYS_pkey_alloc,
                               SYS_mbind,
                               SYS_sched_yield,
                               SYS_sysinfo,
                               SYS_mincore,
                               SYS_timerfd_create,
                               SYS_eventfd2,
                               SYS_memfd_create};
  if (argc == 1) {
    for (int i = 0; i < 2; ++i) {
      pid_t pid = fork();
      if (pid == 0) {
        forbid_calls(kCalls, sizeof kCalls / sizeof kCalls[0], i ? EPERM : ENOSYS);
        execl("/proc/self/exe", argv[0], "limited", (char*)NULL);
        _exit(98);
      }
      expect_success(pid);
    }
    return 0;
  }
  allocate_volume(128);
  void* p = malloc(1 << 20);
  fill_pattern(p, 1 << 20, 1);
  p = realloc(p, 100 << 20);
  check_prefix(p, 1 << 20, 1 << 20, 1);
  p = realloc(p, 5000);
  check_prefix(p, 5000, 1 << 20, 1);
  free(p);
  check_zero(p = calloc(1, 3 << 20), 3 << 20);
  free(p);
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL) == 0) pthread_join(t, NULL);
  expect_success(fork_child(work_in_child, NULL));
  return 0;
}
