#pragma once
// How many CPUs this process may really use. Reads /proc and /sys through raw calls, allocates
// nothing; to be called rarely.
namespace mmt::sys {

// CPUs in the calling thread's affinity mask; at least 1.
unsigned affinity_cpus();

// CPU bandwidth the process's cgroup allows, in hundredths of a CPU; 0 when there is no quota or it
// cannot be read.
unsigned cgroup_quota_percent();

// Quota from the text of a cgroup v2 cpu.max ("max 100000", "150000 100000"): hundredths of a CPU,
// 0 for none or for malformed text.
unsigned parse_cpu_max(const char* text);

}  // namespace mmt::sys
