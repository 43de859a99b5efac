// Seccomp filters: what chosen system calls do, and what all others do.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "support/expect.h"

#define MOST_FILTERED_CALLS 30

struct call_filter {
  struct sock_filter program[2 * MOST_FILTERED_CALLS + 2];
  struct sock_fprog whole;
};

// The filter may not be copied: the kernel is given the address of its program.
__attribute__((unused)) static void make_filter(struct call_filter* filter, const int* calls,
                                                size_t count, unsigned chosen, unsigned others) {
  struct sock_filter* at = filter->program;
  EXPECT(count <= MOST_FILTERED_CALLS);
  *at++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < count; ++i) {
    *at++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
    *at++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, chosen);
  }
  *at++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, others);
  filter->whole.len = (unsigned short)(at - filter->program);
  filter->whole.filter = filter->program;
  EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}

// A system call by an instruction of the program's own, of which the library does not know. 0, or
// -errno.
__attribute__((unused)) static long call_unseen(long number, long a, long b, long c) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
#else
  return syscall(number, a, b, c);
#endif
}

// The calls fail with an errno, from now on and in all programs started from here.
__attribute__((unused)) static void forbid_calls(const int* calls, size_t count, int error) {
  struct call_filter filter;
  make_filter(&filter, calls, count, SECCOMP_RET_ERRNO | ((unsigned)error & 0xffff),
              SECCOMP_RET_ALLOW);
  // As if the filter were there from the start.
  EXPECT(call_unseen(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&filter.whole) == 0);
}
