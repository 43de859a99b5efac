// A seccomp filter that makes chosen system calls fail with an errno, from now on and in all
// programs started from here.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "support/expect.h"

__attribute__((unused)) static void forbid_calls(const int* calls, size_t count, int error) {
  struct sock_filter program[64];
  size_t n = 0;
  EXPECT(count < 30);
  program[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < count; ++i) {
    program[n++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                                SECCOMP_RET_ERRNO | ((unsigned)error & 0xffff));
  }
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog whole = {(unsigned short)n, program};
  EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  // Not by prctl, of which the library would know: as if the filter were there from the start.
  EXPECT(syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole, 0, 0) == 0);
}
