// What the kernel says about this process, read without the heap.
#pragma once

#include <cstdint>

namespace mmt::workloads {

struct Faults {
  uint64_t minor;
  uint64_t major;
};

// Page faults of all threads since the program started, from /proc/self/stat.
Faults faults_of_process();

// Resident bytes, from /proc/self/statm.
uint64_t resident_bytes();

// The most that was resident since this program was started, from /proc/self/status.
uint64_t peak_resident_bytes();

// Number of online CPUs this process may use.
unsigned usable_cpus();

}  // namespace mmt::workloads
