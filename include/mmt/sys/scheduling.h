#pragma once
// How the kernel schedules threads of this process: class, priority and niceness, CPUs. A thread is
// named by its id; 0 is the calling one. Raw calls; any thread, any context.
#include <cstdint>

namespace mmt::sys {

// CPUs that a thread may run on.
class CpuSet {
 public:
  static constexpr unsigned kCpus = 2048;

  // False: there is no such thread, or the machine has more CPUs. Nothing has changed then.
  bool read(uint32_t thread);
  bool apply(uint32_t thread) const;

  unsigned count() const;
  bool has(unsigned cpu) const { return (words_[cpu / 64] >> (cpu % 64) & 1) != 0; }
  void flip(unsigned cpu) { words_[cpu / 64] ^= uint64_t{1} << (cpu % 64); }
  CpuSet& operator|=(const CpuSet& other);
  bool operator==(const CpuSet&) const = default;

 private:
  uint64_t words_[kCpus / 64] = {};
};

// A thread's class, with what goes with it.
struct Scheduling {
  uint32_t policy;    // SCHED_OTHER, ...
  int32_t niceness;   // of those that are not real-time
  uint32_t priority;  // of those that are

  bool read(uint32_t thread);
  bool apply(uint32_t thread) const;
  bool is_real_time() const;
  // The kernel lets no thread of this class start another of it.
  bool is_deadline() const;
  bool operator==(const Scheduling&) const = default;
};

// What is no stronger than either, in class, in priority, in niceness.
Scheduling weaker_of(const Scheduling& a, const Scheduling& b);

// `thread` is scheduled by `wanted`, but for its niceness where another than 0 is given and
// granted. Sets what differs and nothing else. False: the system does not let it be so strong, and
// it has another class, or is nicer.
bool follow_class(const Scheduling& wanted, uint32_t thread, int32_t niceness);

// If the calling thread is a real-time one, `thread` becomes one with the same priority, where that
// is permitted. True: it was to.
bool lend_real_time(uint32_t thread);

}  // namespace mmt::sys
