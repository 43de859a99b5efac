#pragma once
// Limits of the process that a thread beside the program's own would use up. Raw calls; any thread,
// any context.
namespace mmt::sys {

// Its CPU time is limited (RLIMIT_CPU).
bool is_cpu_time_limited();

// Its user's tasks are limited (soft RLIMIT_NPROC) to less than half of what the system has room
// for, which is the kernel's default.
bool are_tasks_limited();

inline constexpr unsigned kNoTaskLimit = ~0u;

// Returns how many more tasks its control groups (v1 and v2, up to the root) let start. It is
// kNoTaskLimit when there is no limit or the limit cannot be read. To be called rarely, and by one
// thread at a time, as cgroup_quota_percent().
unsigned cgroup_tasks_left();

// With fewer left, the program's own threads and children need them all.
inline constexpr unsigned kTasksForTheProgram = 64;

}  // namespace mmt::sys
