#include <cstdint>

#include <mmt/sys/cpus.h>
#include <mmt/sys/syscall.h>

#include "sys/linux/cgroup.h"

namespace mmt::sys {

unsigned affinity_cpus() {
  uint64_t mask[128] = {};
  const long bytes = raw_syscall(SYS_sched_getaffinity, 0, sizeof(mask), pointer_argument(mask));
  unsigned count = 0;
  for (long i = 0; i < bytes / 8; ++i) count += static_cast<unsigned>(__builtin_popcountl(mask[i]));
  return count == 0 ? 1 : count;
}

unsigned cgroup_quota_percent() { return cgroup::quota_percent(""); }

}  // namespace mmt::sys
