// A child of vfork that confines itself, as launchers do before exec, shares the parent's memory:
// the parent's memory thread comes all the same.
// @memory-thread

#include <sched.h>

#include "support/memory.h"
#include "support/processes.h"
#include "support/seccomp.h"

int main(void) {
  pid_t pid = vfork();
  if (pid == 0) {
    // Fails where name spaces are refused; what follows goes on either way.
    (void)unshare(CLONE_NEWUSER | CLONE_NEWPID);
    static struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    static struct sock_fprog whole = {1, &allow};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    _exit(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0 ? 0 : 1);
  }
  expect_success(pid);
  allocate_volume(64);
  for (int i = 0; i < 200 && thread_count() != 2; ++i) usleep(10000);
  EXPECT(thread_count() == 2);
  return 0;
}
