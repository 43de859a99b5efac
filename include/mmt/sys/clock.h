#pragma once
// Monotonic time in nanoseconds, from the vDSO where there is one. Any thread, any context.
#include <cstdint>

namespace mmt::sys {

uint64_t monotonic_ns();

// CPU time of the calling thread, ns. A system call.
uint64_t thread_cpu_ns();

}  // namespace mmt::sys
