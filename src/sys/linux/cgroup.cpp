#include "sys/linux/cgroup.h"

#include <fcntl.h>

#include <cstddef>
#include <cstring>

#include <mmt/sys/syscall.h>

#include "sys/linux/cgroup_text.h"

namespace mmt::sys::cgroup {
namespace {

constexpr size_t kLineBytes = 1024;
constexpr size_t kPathBytes = 1024;
constexpr size_t kNumberBytes = 64;
constexpr size_t kStatBytes = 512;  // of memory.stat, which begins with what is looked for

// A text that refuses what does not fit: a cut path would be another one.
class Path {
 public:
  Path& set(const char* first, const char* second) {
    cut(0);
    return *this += first, *this += second;
  }
  Path& operator+=(const char* part) {
    const size_t bytes = strlen(part);
    if (size_ + bytes >= kPathBytes) whole_ = false;
    if (!whole_) return *this;
    memcpy(text_ + size_, part, bytes + 1);
    size_ += bytes;
    return *this;
  }
  void cut(size_t size) {
    size_ = size;
    text_[size] = '\0';
    whole_ = true;
  }
  // Up to the last '/' and without it, but never below `floor`.
  void cut_component(size_t floor) {
    size_t size = size_;
    while (size > floor && text_[size - 1] != '/') --size;
    cut(size > floor ? size - 1 : floor);
  }
  bool whole() const { return whole_; }
  size_t size() const { return size_; }
  const char* text() const { return text_; }

 private:
  char text_[kPathBytes] = "";
  size_t size_ = 0;
  bool whole_ = true;
};

// Where a search writes: the thread that starts the memory thread may have little stack.
struct Scratch {
  Path own;     // the process's, in a hierarchy
  Path folder;  // of a group; before, a file of /proc
  char lines[kLineBytes] = "";
};
constinit Scratch scratch;

class File {
 public:
  explicit File(const Path& path)
      : descriptor_(path.whole() ? raw_syscall(SYS_openat, AT_FDCWD, pointer_argument(path.text()),
                                               O_RDONLY | O_CLOEXEC)
                                 : -1) {}
  ~File() {
    if (descriptor_ >= 0) raw_syscall(SYS_close, descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Bytes read; 0 at the end, and when nothing can be read.
  size_t read(char* to, size_t most) {
    if (descriptor_ < 0) return 0;
    const long bytes =
        raw_syscall(SYS_read, descriptor_, pointer_argument(to), static_cast<long>(most));
    return bytes < 0 ? 0 : static_cast<size_t>(bytes);
  }

 private:
  long descriptor_;
};

// A file's lines one by one. Only the beginning of a line that is too long is seen.
class Lines {
 public:
  explicit Lines(const Path& path) : file_(path), text_(scratch.lines) {}

  // The next line, valid until the next call; nullptr at the end.
  char* next() {
    drop(given_);
    for (;;) {
      if (char* end = static_cast<char*>(memchr(text_, '\n', size_))) {
        given_ = static_cast<size_t>(end - text_) + 1;
        *end = '\0';
        if (!in_long_line_) return text_;
        in_long_line_ = false;
        drop(given_);
      } else if (size_ < kLineBytes) {
        const size_t bytes = file_.read(text_ + size_, kLineBytes - size_);
        if (bytes == 0) return nullptr;  // both files end with a newline
        size_ += bytes;
      } else if (in_long_line_) {
        drop(size_);
      } else {
        in_long_line_ = true;
        text_[kLineBytes - 1] = '\0';
        given_ = size_;
        return text_;
      }
    }
  }

 private:
  void drop(size_t bytes) {
    size_ -= bytes;
    memmove(text_, text_ + bytes, size_);
    given_ = 0;
  }

  File file_;
  char* const text_;
  size_t size_ = 0;
  size_t given_ = 0;           // at the front: what next() returned, its newline included
  bool in_long_line_ = false;  // its beginning was returned
};

// As much as there is room for.
template <size_t kBytes>
bool read_text(Path& folder, const char* name, char (&text)[kBytes]) {
  const size_t size = folder.size();
  folder += name;
  const size_t bytes = File(folder).read(text, kBytes - 1);
  text[bytes] = '\0';
  folder.cut(size);
  return bytes != 0;
}

// A limit, as a fold over groups: `smallest` starts as none.
struct Quota {
  unsigned smallest = 0;

  void look(Hierarchy hierarchy, Path& folder) {
    const unsigned here = of_group(hierarchy, folder);
    if (smallest == 0 || (here != 0 && here < smallest)) smallest = here;
  }

 private:
  static unsigned of_group(Hierarchy hierarchy, Path& folder) {
    char quota[kNumberBytes];
    if (hierarchy == Hierarchy::kUnified)
      return read_text(folder, "/cpu.max", quota) ? parse_cpu_max(quota) : 0;
    char period[kNumberBytes];
    return read_text(folder, "/cpu.cfs_quota_us", quota) &&
                   read_text(folder, "/cpu.cfs_period_us", period)
               ? parse_cfs(quota, period)
               : 0;
  }
};

struct TasksLeft {
  unsigned smallest = kNoTaskLimit;

  void look(Hierarchy, Path& folder) {
    char most[kNumberBytes];
    char current[kNumberBytes];
    if (!read_text(folder, "/pids.max", most) || !read_text(folder, "/pids.current", current))
      return;
    const unsigned here = parse_pids(most, current);
    if (here < smallest) smallest = here;
  }
};

struct MemoryLeft {
  uint64_t smallest = kNoMemoryLimit;

  void look(Hierarchy hierarchy, Path& folder) {
    const bool is_unified = hierarchy == Hierarchy::kUnified;
    char most[kNumberBytes];
    char current[kNumberBytes];
    char stat[kStatBytes];
    if (!read_text(folder, is_unified ? "/memory.max" : "/memory.limit_in_bytes", most)) return;
    if (!read_text(folder, is_unified ? "/memory.current" : "/memory.usage_in_bytes", current))
      return;
    if (!read_text(folder, "/memory.stat", stat)) stat[0] = '\0';
    const uint64_t here = parse_memory(most, current, stat);
    if (here < smallest) smallest = here;
  }
};

// From the group `part` of what is mounted up to the mount's root.
template <class Limit>
void look_upwards(Hierarchy hierarchy, const char* files, const Mount& mount, const char* part,
                  Limit& limit) {
  Path& folder = scratch.folder.set(files, mount.point);
  const size_t floor = folder.size();
  folder += part;
  if (!folder.whole()) return;
  for (;;) {
    limit.look(hierarchy, folder);
    if (folder.size() == floor) return;
    folder.cut_component(floor);
  }
}

bool find_own_path(Hierarchy hierarchy, const char* files) {
  Lines lines(scratch.folder.set(files, "/proc/self/cgroup"));
  while (const char* line = lines.next()) {
    const char* path = path_in(hierarchy, line);
    if (path == nullptr) continue;
    return scratch.own.set(path, "").whole();
  }
  return false;
}

template <class Limit>
void look_in(Hierarchy hierarchy, const char* files, Limit& limit) {
  if (!find_own_path(hierarchy, files)) return;
  Lines lines(scratch.folder.set(files, "/proc/self/mountinfo"));
  while (char* line = lines.next()) {
    Mount mount;
    if (!parse_mount(hierarchy, line, &mount)) continue;
    const char* part = part_below(mount.root, scratch.own.text());
    if (part != nullptr) look_upwards(hierarchy, files, mount, part, limit);
  }
}

}  // namespace

unsigned quota_percent(const char* files) {
  Quota quota;
  look_in(Hierarchy::kUnified, files, quota);
  look_in(Hierarchy::kCpu, files, quota);
  return quota.smallest;
}

unsigned tasks_left(const char* files) {
  TasksLeft tasks;
  look_in(Hierarchy::kUnified, files, tasks);
  look_in(Hierarchy::kPids, files, tasks);
  return tasks.smallest;
}

uint64_t memory_left(const char* files) {
  MemoryLeft memory;
  look_in(Hierarchy::kUnified, files, memory);
  look_in(Hierarchy::kMemory, files, memory);
  return memory.smallest;
}

}  // namespace mmt::sys::cgroup
