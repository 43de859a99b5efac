#pragma once
// Monotonic time in nanoseconds, from the vDSO where there is one. Any thread may call it, in any
// context. Doubles: Real is src/sys/linux/clock.cpp; Fake is src/sys/fake/clock.cpp, which a test
// moves.
#include <cstdint>

namespace mmt::sys {

inline constexpr uint64_t kNanosAMilli = 1000000;

// Reads the cycle counter, where the vDSO does: never in a call of malloc or free, since a program
// may forbid itself the counter (PR_SET_TSC). After keep_to_coarse_clock() it is coarse_ns().
uint64_t monotonic_ns();
// The same, some milliseconds late at most: the kernel's last tick, which the vDSO reads from
// memory.
uint64_t coarse_ns();
// The calling thread is forbidden the cycle counter. A system call.
bool is_counter_forbidden();
// From now on no thread reads the counter. Any thread may call it.
void keep_to_coarse_clock();
bool is_clock_coarse();

// The CPU time of the calling thread, in ns. It takes a system call.
uint64_t thread_cpu_ns();
// The same of another thread of this process; 0 when it is not there.
uint64_t thread_cpu_ns(uint32_t thread_id);
// How often the kernel took the CPU from the calling thread for another one; 0 where it does not
// tell. A system call.
uint64_t thread_preemptions();

}  // namespace mmt::sys
