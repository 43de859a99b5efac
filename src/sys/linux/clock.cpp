#include <sys/resource.h>
#include <time.h>

#include <mmt/sys/clock.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {

uint64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);  // vDSO: no errno on success, no allocation
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

uint64_t thread_cpu_ns() {
  timespec t{};
  raw_syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, pointer_argument(&t));
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

uint64_t thread_cpu_ns(uint32_t thread_id) {
  // CPUCLOCK_PERTHREAD | CPUCLOCK_SCHED, as pthread_getcpuclockid makes it.
  const auto clock = static_cast<int>(~thread_id << 3 | 4 | 2);
  timespec t{};
  raw_syscall(SYS_clock_gettime, clock, pointer_argument(&t));
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

uint64_t thread_preemptions() {
  rusage usage{};
  raw_syscall(SYS_getrusage, RUSAGE_THREAD, pointer_argument(&usage));
  return static_cast<uint64_t>(usage.ru_nivcsw);
}

}  // namespace mmt::sys
