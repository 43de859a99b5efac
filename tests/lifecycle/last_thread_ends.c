// A process whose last thread ends without an exit of the process ends as it does without the
// library. The thread ends by a call of its own, by libc's, or by a seccomp filter that kills
// threads.
// @only mmt protocol
// @timeout 60

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "support/processes.h"

static void kill_thread_at(int call) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD + BPF_W + BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP + BPF_JEQ + BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET + BPF_K, SECCOMP_RET_KILL_THREAD),
      BPF_STMT(BPF_RET + BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {4, filter};
  EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static int status_of(int kind, int idle_us) {
  const pid_t child = fork();
  if (child == 0) {
    if (kind == 1) kill_thread_at(SYS_getppid);
    allocate_volume(16);
    if (kind == 2) kill_thread_at(SYS_getppid);
    usleep(idle_us);
    if (kind == 3) pthread_exit(NULL);
    syscall(kind == 0 ? SYS_exit : SYS_getppid, 3);
    _exit(99);
  }
  int status = 0;
  for (int i = 0; i < 1000; ++i, usleep(10000))
    if (waitpid(child, &status, WNOHANG) == child) return status;
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return -1;
}

int main(void) {
  for (int idle_us = 0; idle_us <= 300000; idle_us += 300000) {
    const int by_call = status_of(0, idle_us);
    EXPECT(WIFEXITED(by_call) && WEXITSTATUS(by_call) == 3, "%d", by_call);
    const int by_libc = status_of(3, idle_us);
    EXPECT(WIFEXITED(by_libc) && WEXITSTATUS(by_libc) == 0, "%d", by_libc);
    for (int kind = 1; kind <= 2; ++kind) {
      const int by_filter = status_of(kind, idle_us);
      EXPECT(WIFSIGNALED(by_filter) && WTERMSIG(by_filter) == SIGSYS, "%d", by_filter);
    }
  }
  return 0;
}
