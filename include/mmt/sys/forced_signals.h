#pragma once
// The signals by which the kernel tells a thread of what it has just done. Header-only, for heaps
// that are composed without the library as well. Thread-safe: nothing is kept.
#include <signal.h>
#include <sys/prctl.h>

#include <cstdint>

#include <mmt/sys/syscall.h>

namespace mmt::sys {

// What rt_sig* calls take as the size of a set.
inline constexpr long kKernelSigsetBytes = 8;

constexpr uint64_t signal_bit(int number) { return uint64_t{1} << (number - 1); }

// To force one of these where it is blocked kills the process.
inline constexpr uint64_t kForcedSignals = signal_bit(SIGSEGV) | signal_bit(SIGBUS) |
                                           signal_bit(SIGILL) | signal_bit(SIGFPE) |
                                           signal_bit(SIGTRAP) | signal_bit(SIGSYS);

// Tells whether the calling thread stands under a seccomp filter, which it may not know of, and the
// program handles SIGSYS. A thread that it starts, on which no handler may run, could then be
// killed for any call.
MMT_NOINLINE inline bool are_calls_trapped() {
  if (raw_syscall(SYS_prctl, PR_GET_SECCOMP) <= 0) return false;
  struct KernelAction {
    uintptr_t handler;
    unsigned long flags;
    uintptr_t restorer;
    uint64_t mask;
  } action{};
  raw_syscall(SYS_rt_sigaction, SIGSYS, 0, pointer_argument(&action), kKernelSigsetBytes);
  return action.handler > reinterpret_cast<uintptr_t>(SIG_IGN);
}

}  // namespace mmt::sys
