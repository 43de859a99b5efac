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

// A text that refuses what does not fit: a cut path would be another one.
class Path {
 public:
  void set(const char* first, const char* second) {
    cut(0);
    *this += first;
    *this += second;
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

// Not on the stack, which may be a small one. One call's at a time.
struct Texts {
  Path own;   // in a hierarchy
  Path file;  // to be read
  char line[kLineBytes];
};
constinit Texts texts{};

// The lines of `texts.file` one by one, in `texts.line`. Of a line that is too long only the
// beginning is seen.
class Lines {
 public:
  explicit Lines(Texts& texts) : file_(texts.file), text_(texts.line) {}

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

bool read_number(Path& folder, const char* name, char* text) {
  const size_t size = folder.size();
  folder += name;
  const size_t bytes = File(folder).read(text, kNumberBytes - 1);
  text[bytes] = '\0';
  folder.cut(size);
  return bytes != 0;
}

unsigned quota_of_group(Hierarchy hierarchy, Path& folder) {
  char quota[kNumberBytes];
  if (hierarchy == Hierarchy::kUnified)
    return read_number(folder, "/cpu.max", quota) ? parse_cpu_max(quota) : 0;
  char period[kNumberBytes];
  return read_number(folder, "/cpu.cfs_quota_us", quota) &&
                 read_number(folder, "/cpu.cfs_period_us", period)
             ? parse_cfs(quota, period)
             : 0;
}

// 0 means no quota.
unsigned smaller(unsigned a, unsigned b) { return a == 0 || (b != 0 && b < a) ? b : a; }

// From the group `part` of what is mounted up to the mount's root.
unsigned quota_upwards(Hierarchy hierarchy, const char* files, const char* point, const char* part,
                       Path& folder) {
  folder.set(files, point);
  const size_t floor = folder.size();
  folder += part;
  if (!folder.whole()) return 0;
  for (unsigned smallest = 0;;) {
    smallest = smaller(smallest, quota_of_group(hierarchy, folder));
    if (folder.size() == floor) return smallest;
    folder.cut_component(floor);
  }
}

bool find_own_path(Hierarchy hierarchy, const char* files) {
  texts.file.set(files, "/proc/self/cgroup");
  Lines lines(texts);
  while (const char* line = lines.next()) {
    const char* path = path_in(hierarchy, line);
    if (path == nullptr) continue;
    texts.own.set(path, "");
    return texts.own.whole();
  }
  return false;
}

unsigned quota_in(Hierarchy hierarchy, const char* files) {
  if (!find_own_path(hierarchy, files)) return 0;
  texts.file.set(files, "/proc/self/mountinfo");
  Lines lines(texts);
  unsigned smallest = 0;
  while (char* line = lines.next()) {
    Mount mount;
    if (!parse_mount(hierarchy, line, &mount)) continue;
    const char* part = part_below(mount.root, texts.own.text());
    if (part == nullptr) continue;
    smallest = smaller(smallest, quota_upwards(hierarchy, files, mount.point, part, texts.file));
  }
  return smallest;
}

}  // namespace

unsigned quota_percent(const char* files) {
  return smaller(quota_in(Hierarchy::kUnified, files), quota_in(Hierarchy::kCpu, files));
}

}  // namespace mmt::sys::cgroup
