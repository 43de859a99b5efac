#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include <atomic>

#include <mmt/sys/clock.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {
namespace {

// Relaxed: a thread that sees it late may still read the counter.
constinit std::atomic<bool> coarse{false};

uint64_t read_clock(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);  // vDSO: no errno on success, no allocation
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

}  // namespace

uint64_t monotonic_ns() {
  return read_clock(is_clock_coarse() ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC);
}

uint64_t coarse_ns() { return read_clock(CLOCK_MONOTONIC_COARSE); }

bool is_counter_forbidden() {
#if defined(__x86_64__)
  int mode = PR_TSC_ENABLE;
  return raw_syscall(SYS_prctl, PR_GET_TSC, pointer_argument(&mode)) == 0 && mode == PR_TSC_SIGSEGV;
#else
  return false;
#endif
}

void keep_to_coarse_clock() { coarse.store(true, std::memory_order_relaxed); }
bool is_clock_coarse() { return coarse.load(std::memory_order_relaxed); }

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
