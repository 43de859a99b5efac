#pragma once
// Raw system calls touch neither errno nor any thread-local state. So they may be used in malloc,
// in signal handlers and on the memory thread, which has no libc thread descriptor.
// Every call returns the kernel's value: a result, or -errno.
#include <sys/syscall.h>

#include <mmt/core/compiler.h>

namespace mmt::sys {

using core::raw_syscall;

// A call that a program makes; all zero: none.
struct SystemCall {
  long number;
  long arguments[6];
};

inline long pointer_argument(const void* p) { return reinterpret_cast<long>(p); }

}  // namespace mmt::sys
