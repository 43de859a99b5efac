#include <mmt/sys/cpus.h>
#include <mmt/sys/scheduling.h>

#include "sys/linux/cgroup.h"

namespace mmt::sys {

unsigned affinity_cpus() {
  CpuSet cpus;
  const unsigned count = cpus.read(0) ? cpus.count() : 0;
  return count == 0 ? 1 : count;
}

unsigned cgroup_quota_percent() { return cgroup::quota_percent(""); }

}  // namespace mmt::sys
