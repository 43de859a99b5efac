#include <bit>
#include <cerrno>
#include <cstdint>

#include <mmt/sys/cpus.h>
#include <mmt/sys/file.h>
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

// As "0-3,8".
unsigned online_cpus() {
  char text[256];
  const long bytes = read_file("/sys/devices/system/cpu/online", text, sizeof text);
  unsigned first = 0;
  unsigned count = 0;
  bool in_range = false;
  for (long i = 0; i < bytes;) {
    unsigned number = 0;
    for (; i < bytes && text[i] >= '0' && text[i] <= '9'; ++i)
      number = number * 10 + static_cast<unsigned>(text[i] - '0');
    count += in_range ? number - first : 1;
    first = number;
    in_range = i < bytes && text[i] == '-';
    ++i;
  }
  return count == 0 ? 1 : count;
}

// As "0.20 0.18 0.12 2/134 11206": of 134 threads 2.
unsigned runnable_threads() {
  char text[128];
  const long bytes = read_file("/proc/loadavg", text, sizeof text);
  long at = 0;
  for (int space = 0; at < bytes && space < 3; ++at) space += text[at] == ' ';
  unsigned count = 0;
  for (; at < bytes && text[at] >= '0' && text[at] <= '9'; ++at)
    count = count * 10 + static_cast<unsigned>(text[at] - '0');
  return count;
}

}  // namespace mmt::sys
