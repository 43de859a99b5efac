#include <fcntl.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/syscall.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mmt::sys {
namespace {

constexpr size_t kTextBytes = 1024;

// Reads at most kTextBytes-1 bytes; an empty text when the file cannot be read.
bool read_text(const char* path, char* text) {
  const long fd =
      raw_syscall(SYS_openat, AT_FDCWD, pointer_argument(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const long bytes = raw_syscall(SYS_read, fd, pointer_argument(text), kTextBytes - 1);
  raw_syscall(SYS_close, fd);
  if (bytes < 0) return false;
  text[bytes] = '\0';
  return true;
}

unsigned long parse_number(const char** text) {
  unsigned long value = 0;
  while (**text >= '0' && **text <= '9') value = value * 10 + static_cast<unsigned>(*(*text)++ - '0');
  return value;
}

bool append(char* path, size_t* length, const char* part, size_t bytes) {
  if (*length + bytes >= kTextBytes) return false;
  memcpy(path + *length, part, bytes);
  *length += bytes;
  path[*length] = '\0';
  return true;
}

// Smallest quota from the process's own cgroup (v2) up to the root.
unsigned unified_quota() {
  char membership[kTextBytes];
  if (!read_text("/proc/self/cgroup", membership)) return 0;
  const char* line = strstr(membership, "0::");
  if (line == nullptr) return 0;
  line += 3;
  size_t bytes = strcspn(line, "\n");
  unsigned smallest = 0;
  for (;;) {
    char path[kTextBytes];
    char text[kTextBytes];
    size_t length = 0;
    if (append(path, &length, "/sys/fs/cgroup", 14) && append(path, &length, line, bytes) &&
        append(path, &length, "/cpu.max", 8) && read_text(path, text)) {
      const unsigned quota = parse_cpu_max(text);
      if (quota != 0 && (smallest == 0 || quota < smallest)) smallest = quota;
    }
    if (bytes <= 1) return smallest;
    while (bytes > 0 && line[bytes - 1] != '/') --bytes;
    if (bytes > 0) --bytes;
  }
}

unsigned legacy_quota() {
  char quota_text[kTextBytes];
  char period_text[kTextBytes];
  if (!read_text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota_text) ||
      !read_text("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period_text) || quota_text[0] == '-')
    return 0;
  const char* q = quota_text;
  const char* p = period_text;
  const unsigned long quota = parse_number(&q);
  const unsigned long period = parse_number(&p);
  return period == 0 ? 0 : static_cast<unsigned>(quota * 100 / period);
}

}  // namespace

unsigned affinity_cpus() {
  uint64_t mask[128] = {};
  const long bytes = raw_syscall(SYS_sched_getaffinity, 0, sizeof(mask), pointer_argument(mask));
  unsigned count = 0;
  for (long i = 0; i < bytes / 8; ++i) count += static_cast<unsigned>(__builtin_popcountl(mask[i]));
  return count == 0 ? 1 : count;
}

unsigned parse_cpu_max(const char* text) {
  if (*text < '0' || *text > '9') return 0;
  const unsigned long quota = parse_number(&text);
  if (*text++ != ' ') return 0;
  const unsigned long period = parse_number(&text);
  return period == 0 ? 0 : static_cast<unsigned>(quota * 100 / period);
}

unsigned cgroup_quota_percent() {
  const unsigned unified = unified_quota();
  return unified != 0 ? unified : legacy_quota();
}

}  // namespace mmt::sys
