#pragma once
// Monotonic time in nanoseconds, from the vDSO where there is one. Any thread, any context.
// Doubles: Real is src/sys/linux/clock.cpp; Fake is src/sys/fake/clock.cpp, which a test moves.
#include <cstdint>

namespace mmt::sys {

inline constexpr uint64_t kNanosAMilli = 1000000;

uint64_t monotonic_ns();

// CPU time of the calling thread, ns. A system call.
uint64_t thread_cpu_ns();
// The same of another thread of this process; 0 when it is not there.
uint64_t thread_cpu_ns(uint32_t thread_id);
// How often the kernel took the CPU from the calling thread for another one; 0 where it does not
// tell. A system call.
uint64_t thread_preemptions();

}  // namespace mmt::sys
