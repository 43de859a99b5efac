#pragma once
// Monotonic time in nanoseconds, from the vDSO where there is one. Any thread, any context.
// Doubles: Real is src/sys/linux/clock.cpp; Fake is src/sys/fake/clock.cpp, which a test moves.
#include <cstdint>

namespace mmt::sys {

inline constexpr uint64_t kNanosAMilli = 1000000;

uint64_t monotonic_ns();

// CPU time of all threads of the process, ns. A system call.
uint64_t process_cpu_ns();
// The same of one thread of this process; 0 when it is not there.
uint64_t thread_cpu_ns(uint32_t thread_id);

// What the calling thread had so far. Zeros where the kernel does not tell.
struct ThreadUsage {
  uint64_t cpu_ns;       // to the microsecond
  uint64_t preemptions;  // times that the kernel took the CPU from it for another thread
};
ThreadUsage thread_usage();  // a system call

}  // namespace mmt::sys
