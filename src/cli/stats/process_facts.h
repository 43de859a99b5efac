// What the kernel tells of a process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace mmt::cli {

struct ProcessFacts {
  std::string program;  // its name as the kernel knows it
  double seconds = 0;   // since it was started
  double cpu_seconds = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t resident_peak_bytes = 0;
  std::uint64_t page_faults = 0;
  std::uint64_t threads = 0;
};

// Zero, and without a name, for what cannot be read.
ProcessFacts process_facts(pid_t process);

}  // namespace mmt::cli
