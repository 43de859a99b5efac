// The program has a sandbox of its own, in which a filter answers calls about memory by SIGSYS. The
// handler of SIGSYS makes the calls itself, by an instruction that the filter knows and lets pass.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include "support/seccomp.h"

#if !defined(__x86_64__)
#error "for another architecture the handler's call is to be written anew"
#endif

long make_trapped_call(long number, const long* arguments);
extern const char trapped_call_made[];
__asm__(
    ".text\n.globl make_trapped_call\nmake_trapped_call:\n"
    "mov %rdi, %rax\n mov %rsi, %r11\n"
    "mov (%r11), %rdi\n mov 8(%r11), %rsi\n mov 16(%r11), %rdx\n"
    "mov 24(%r11), %r10\n mov 32(%r11), %r8\n mov 40(%r11), %r9\n"
    "syscall\n.globl trapped_call_made\ntrapped_call_made:\n ret\n");

static volatile long calls_trapped = 0;

// For a handler of SIGSYS: makes the call that was trapped, in its place.
__attribute__((unused)) static void answer_trap(ucontext_t* context) {
  greg_t* r = context->uc_mcontext.gregs;
  const long arguments[] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
  r[REG_RAX] = make_trapped_call(r[REG_RAX], arguments);
  __atomic_fetch_add(&calls_trapped, 1, __ATOMIC_RELAXED);
}

// From now on, for the calling thread and those it starts; `handler` may be interrupted by itself.
// `unseen`: as if by code that libc does not know of.
__attribute__((unused)) static void trap_calls(const int* calls, unsigned count,
                                               void (*handler)(int, siginfo_t*, void*),
                                               bool unseen) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  EXPECT(sigaction(SIGSYS, &action, NULL) == 0);
  const uint64_t site = (uint64_t)(uintptr_t)trapped_call_made;
  struct sock_filter program[MOST_FILTERED_CALLS + 8];
  struct sock_filter* at = program;
  EXPECT(count <= MOST_FILTERED_CALLS);
#define LOAD(field, more) \
  (struct sock_filter)    \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field) + (more))
#define JUMP(value, yes, no) \
  (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), yes, no)
  *at++ = LOAD(nr, 0);
  for (unsigned i = 0; i < count; ++i) *at++ = JUMP(calls[i], (unsigned char)(count - i), 0);
  *at++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  *at++ = LOAD(instruction_pointer, 0);
  *at++ = JUMP(site, 0, 3);
  *at++ = LOAD(instruction_pointer, 4);
  *at++ = JUMP(site >> 32, 0, 1);
  *at++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  *at++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
#undef LOAD
#undef JUMP
  const struct sock_fprog whole = {(unsigned short)(at - program), program};
  EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  const long result =
      unseen ? call_unseen(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)(uintptr_t)&whole)
             : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole);
  EXPECT(result == 0, "%ld", result);
}
