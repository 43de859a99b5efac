// Clocks of the workloads, in seconds.
#pragma once

#include <ctime>

namespace mmt::workloads {

inline double seconds_of(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }
// This is the CPU time of all threads of the process.
inline double cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

// The time since it was made, or since the last lap.
class Stopwatch {
 public:
  double lap() {
    double now = wall_seconds();
    double passed = now - start_;
    start_ = now;
    return passed;
  }

 private:
  double start_ = wall_seconds();
};

}  // namespace mmt::workloads
