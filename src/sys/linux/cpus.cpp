#include <bit>
#include <cerrno>
#include <cstdint>

#include <mmt/sys/cpus.h>
#include <mmt/sys/syscall.h>

#include "sys/linux/cgroup.h"

namespace mmt::sys {

unsigned affinity_cpus() {
  constexpr unsigned kMost = 2048;  // little stack: this may run at a program's first malloc
  uint64_t mask[kMost / 64] = {};
  const long bytes = raw_syscall(SYS_sched_getaffinity, 0, sizeof mask, pointer_argument(mask));
  if (bytes == -EINVAL) return kMost;  // the machine may have more
  unsigned count = 0;
  for (long i = 0; i < bytes / 8; ++i) count += static_cast<unsigned>(std::popcount(mask[i]));
  return count == 0 ? 1 : count;
}

unsigned cgroup_quota_percent() { return cgroup::quota_percent(""); }

}  // namespace mmt::sys
