// This is the time that the calling thread spent off its CPU, told apart from time spent in calls.
//
// The kernel's counters cost a system call, so they are only read when a stretch of time took
// suspiciously long. A caller must check *every* long stretch, timed or not. What check() finds
// then belongs to the stretch that has just ended. A rebase() now and then keeps the small things
// (interrupts, hypervisor) from adding up to something.
#pragma once

#include <sys/resource.h>

#include <cstdint>

#include "common/clock.h"

namespace mmt::workloads {

class OffCpu {
 public:
  OffCpu() { rebase(); }

  void rebase() {
    rusage usage;
    ::getrusage(RUSAGE_THREAD, &usage);
    voluntary_ = usage.ru_nvcsw;
    involuntary_ = usage.ru_nivcsw;
    wall_ = wall_seconds();
    cpu_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  }

  // Seconds off the CPU since the last check or rebase; 0 unless there was a context switch.
  double check() {
    OffCpu before = *this;
    rebase();
    bool switched = voluntary_ != before.voluntary_ || involuntary_ != before.involuntary_;
    if (!switched) return 0;
    double off = (wall_ - before.wall_) - (cpu_ - before.cpu_);
    if (off < 0) off = 0;
    if (voluntary_ != before.voluntary_) waited_ += off;
    total_ += off;
    return off;
  }

  double total() const { return total_; }
  // The part in which the thread went to sleep by itself: a lock, for instance.
  double waited() const { return waited_; }

 private:
  long voluntary_ = 0;
  long involuntary_ = 0;
  double wall_ = 0;
  double cpu_ = 0;
  double total_ = 0;
  double waited_ = 0;
};

}  // namespace mmt::workloads
