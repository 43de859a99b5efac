#include <sys/resource.h>

#include <atomic>
#include <cstdint>

#include <mmt/sys/file.h>
#include <mmt/sys/limits.h>
#include <mmt/sys/syscall.h>

#include "sys/linux/cgroup.h"

namespace mmt::sys {
namespace {

constexpr uint64_t kUnlimited = ~uint64_t{0};
// Where the system does not say how many it has room for: what small machines have.
constexpr uint64_t kUsualTasks = 4096;

// 0: not asked yet. Relaxed: a number, the same for all who ask.
constinit std::atomic<uint64_t> tasks_of_system{0};

uint64_t soft_limit(int which) {
  struct {
    uint64_t soft;
    uint64_t hard;
  } limit{kUnlimited, kUnlimited};
  raw_syscall(SYS_prlimit64, 0, which, 0, pointer_argument(&limit));
  return limit.soft;
}

uint64_t read_tasks_of_system() {
  char text[32];
  const long bytes = read_file("/proc/sys/kernel/threads-max", text, sizeof text);
  uint64_t value = 0;
  for (long i = 0; i < bytes && text[i] >= '0' && text[i] <= '9'; ++i)
    value = value * 10 + static_cast<uint64_t>(text[i] - '0');
  return value == 0 ? kUsualTasks : value;
}

}  // namespace

bool is_cpu_time_limited() { return soft_limit(RLIMIT_CPU) != kUnlimited; }

bool are_tasks_limited() {
  const uint64_t limit = soft_limit(RLIMIT_NPROC);
  if (limit == kUnlimited) return false;
  uint64_t tasks = tasks_of_system.load(std::memory_order_relaxed);
  if (tasks == 0) {
    tasks = read_tasks_of_system();
    tasks_of_system.store(tasks, std::memory_order_relaxed);
  }
  return limit < tasks / 2;
}

unsigned cgroup_tasks_left() { return cgroup::tasks_left(""); }

}  // namespace mmt::sys
