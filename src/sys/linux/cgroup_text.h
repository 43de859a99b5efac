#pragma once
// The texts in which the kernel describes control groups: pure parsing. Lines are without their
// newline.
#include <cstdint>

#include <mmt/sys/limits.h>

namespace mmt::sys::cgroup {

enum class Hierarchy : uint8_t {
  kUnified,  // v2
  kCpu,      // v1, the one with the cpu controller
  kPids,     // v1, the one with the pids controller
  kMemory,   // v1, the one with the memory controller
};

// The process's path if this line of /proc/self/cgroup ("4:cpu,cpuacct:/a/b") is the hierarchy's,
// else nullptr.
const char* path_in(Hierarchy hierarchy, const char* line);

struct Mount {
  const char* root;   // what of the hierarchy is mounted
  const char* point;  // where
};

// Takes a line of /proc/self/mountinfo apart, in place. False when something else is mounted there.
bool parse_mount(Hierarchy hierarchy, char* line, Mount* mount);

// What of `path` follows `root`, "" or beginning with '/'; nullptr when it does not lie below.
const char* part_below(const char* root, const char* path);

// Quotas in hundredths of a CPU, at least 1; 0 for none or for malformed text.
// v2, cpu.max: "max 100000", "150000 100000".
unsigned parse_cpu_max(const char* text);
// v1, cpu.cfs_quota_us and cpu.cfs_period_us: "-1", "150000"; "100000".
unsigned parse_cfs(const char* quota, const char* period);

// How many tasks pids.max ("max", "100") leaves beside pids.current ("7"); kNoTaskLimit where there
// is no limit, or for malformed text.
unsigned parse_pids(const char* most, const char* current);

// How many bytes memory.max ("max", "4096") leaves beside memory.current. Files take some bytes of
// memory.current that the kernel gives back: memory.stat's "file", in v1 "cache", without "shmem".
// The result is kNoMemoryLimit where there is no limit, or for malformed text.
uint64_t parse_memory(const char* most, const char* current, const char* stat);

}  // namespace mmt::sys::cgroup
