#pragma once
// How many CPUs this process may really use. Reads /proc and /sys through raw calls, allocates
// nothing; to be called rarely.
namespace mmt::sys {

// CPUs in the calling thread's affinity mask; at least 1.
unsigned affinity_cpus();

// CPU bandwidth that the process's cgroups (v1 and v2, up to the root) allow, in hundredths of a
// CPU. It is 0 when there is no quota or it cannot be read. One thread at a time may call it.
unsigned cgroup_quota_percent();
// Whether that leaves a second CPU to a second thread.
inline bool has_quota_for_two() {
  const unsigned quota = cgroup_quota_percent();
  return quota == 0 || quota >= 200;
}

// These two are of the whole machine, the caller included, unlike the above. Each opens a file.
// CPUs that are switched on; at least 1.
unsigned online_cpus();
// Threads that run or wait for a CPU at this moment; 0 where that cannot be read.
unsigned runnable_threads();

}  // namespace mmt::sys
