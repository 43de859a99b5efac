#pragma once
// Threads below libc: a helper thread that libc does not know of, so that a single-threaded program
// stays single-threaded in libc's eyes (unlocked stdio, plain reference counts) and ends when its
// own last thread ends. It has a thread-local block of its own with nothing in it: the code it runs
// may use neither errno, nor thread_local objects, nor lazily bound libc calls.
#include <cstddef>
#include <cstdint>

namespace mmt::sys {

// Blocks every signal for the calling thread and returns what was blocked before, for
// restore_signals. A signal that arrives meanwhile is delivered afterwards. One system call each.
uint64_t block_signals();
void restore_signals(uint64_t previous);

// Starts `entry(argument)` on a thread of its own with all signals blocked; `entry` never returns.
// Returns its thread id, or -errno when the system forbids it (RLIMIT_NPROC, seccomp, memory).
long start_raw_thread(void (*entry)(void*), void* argument);

uint32_t current_thread_id();
uint32_t current_process_id();

// Lowers or raises the calling thread's niceness (-20..19); refused raises are ignored.
void set_niceness(int value);
// Binds the calling thread to one CPU.
void bind_to_cpu(unsigned cpu);
// Names the calling thread (at most 15 bytes) in /proc.
void set_thread_name(const char* name);
void sleep_ns(uint64_t ns);
void yield();
// Orders all memory accesses of every thread of the process before and after this call (membarrier).
// False where the kernel does not offer it.
bool barrier_on_all_cpus();
// Involuntary context switches of the calling thread so far; a system call.
uint64_t involuntary_switches();

}  // namespace mmt::sys
