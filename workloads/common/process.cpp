#include "common/process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace mmt::workloads {

namespace {

// This reads a small /proc file with raw system calls into a static buffer. Neither the heap nor
// stdio may be touched while a program waits to see what the allocator does by itself.
const char* read_whole(const char* path) {
  static char buffer[4096];
  long file = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) std::abort();
  long size = ::syscall(SYS_read, file, buffer, sizeof buffer - 1);
  if (size <= 0) std::abort();
  ::syscall(SYS_close, file);
  buffer[size] = '\0';
  return buffer;
}

// The number that starts at word `index` (from 0).
uint64_t word(const char* text, int index) {
  for (; index > 0; --index) {
    while (*text != ' ') ++text;
    ++text;
  }
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) {
    value = value * 10 + static_cast<uint64_t>(*text - '0');
  }
  return value;
}

}  // namespace

Faults faults_of_process() {
  const char* text = read_whole("/proc/self/stat");
  // The second field is the name in parentheses and may hold blanks: count from its end.
  const char* after_name = text;
  for (const char* at = text; *at != '\0'; ++at) {
    if (*at == ')') after_name = at + 2;
  }
  return {word(after_name, 7), word(after_name, 9)};
}

uint64_t resident_bytes() {
  return word(read_whole("/proc/self/statm"), 1) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

uint64_t peak_resident_bytes() {
  constexpr char kKey[] = "VmHWM:";
  const char* at = std::strstr(read_whole("/proc/self/status"), kKey);
  if (at == nullptr) std::abort();
  for (at += sizeof kKey - 1; *at == ' ' || *at == '\t'; ++at) {
  }
  return word(at, 0) * 1024;
}

unsigned usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

}  // namespace mmt::workloads
