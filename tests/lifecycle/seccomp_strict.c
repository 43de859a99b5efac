// A process in the kernel's strict mode is gone when it ends its one thread, as no memory thread
// stays behind. The process can but read, write, and end that thread.
// @needs no-filter

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "support/processes.h"

enum how { kByPrctl, kBySeccomp };

static void confined(void* arg) {
  allocate_volume(64);
  void* block = malloc(100);
  fill_pattern(block, 100, 1);
  if (*(const enum how*)arg == kByPrctl)
    EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0);
  else
    EXPECT(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL) == 0);
  check_pattern(block, 100, 1);
  free(block);
  block = malloc(100);
  fill_pattern(block, 100, 2);
  syscall(SYS_exit, block == NULL);
}

int main(void) {
  for (enum how how = kByPrctl; how <= kBySeccomp; ++how)
    expect_success(fork_child(confined, &how));
  return 0;
}
