#include "agnostic/beside/mapping.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

namespace mmt::agnostic {
namespace {

// A line of /proc/self/maps: "begin-end perms offset device inode path".
struct Mapping {
  uintptr_t begin;
  uintptr_t end;
  bool is_plain;
};

const char* read_hex(const char* at, uintptr_t* value) {
  for (*value = 0;; ++at) {
    const char c = *at;
    if (c >= '0' && c <= '9') {
      *value = *value * 16 + static_cast<uintptr_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      *value = *value * 16 + static_cast<uintptr_t>(c - 'a' + 10);
    } else {
      return at;
    }
  }
}

Mapping read_line(const char* at) {
  Mapping mapping{};
  at = read_hex(at, &mapping.begin);
  at = read_hex(at + 1, &mapping.end);
  const bool is_writable = std::strncmp(at, " rw-p ", 6) == 0;
  for (int column = 0; column < 3; ++column) at = std::strchr(at + 1, ' ');
  // The inode is 0; a stack says so in its name.
  mapping.is_plain =
      is_writable && at[1] == '0' && at[2] == ' ' && std::strstr(at, "[stack") == nullptr;
  return mapping;
}

// By lines; those too long for the room are no anonymous memory.
class Lines {
 public:
  Lines()
      : file_(core::raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"),
                                O_RDONLY | O_CLOEXEC)) {}
  ~Lines() {
    if (file_ >= 0) core::raw_syscall(SYS_close, file_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  // nullptr: that was all.
  const char* next() {
    for (;;) {
      char* const end = static_cast<char*>(std::memchr(text_ + at_, '\n', filled_ - at_));
      if (end != nullptr) {
        const char* line = text_ + at_;
        *end = '\0';
        at_ = static_cast<size_t>(end - text_) + 1;
        return line;
      }
      if (!fill()) return nullptr;
    }
  }

 private:
  bool fill() {
    if (file_ < 0) return false;
    std::memmove(text_, text_ + at_, filled_ - at_);
    filled_ -= at_;
    at_ = 0;
    const size_t room = sizeof text_ - filled_;
    if (room == 0) return false;
    const long got = core::raw_syscall(SYS_read, file_, reinterpret_cast<long>(text_ + filled_),
                                       static_cast<long>(room));
    if (got <= 0) return false;
    filled_ += static_cast<size_t>(got);
    return true;
  }

  long file_;
  size_t at_ = 0;
  size_t filled_ = 0;
  char text_[8192];
};

}  // namespace

uintptr_t end_of_mapping(uintptr_t address) {
  Lines lines;
  uintptr_t end = 0;
  while (const char* line = lines.next()) {
    const Mapping mapping = read_line(line);
    if (end == 0 && address >= mapping.end) continue;
    const bool goes_on = end == 0 ? address >= mapping.begin : mapping.begin == end;
    if (!goes_on || !mapping.is_plain) break;
    end = mapping.end;
  }
  return end;
}

uintptr_t end_of_break() {
  return core::align_up(static_cast<uintptr_t>(core::raw_syscall(SYS_brk, 0)), sys::kPageSize);
}

bool is_resident(uintptr_t address) {
  unsigned char is_there = 0;
  const uintptr_t page = core::align_down(address, sys::kPageSize);
  const long error = core::raw_syscall(SYS_mincore, static_cast<long>(page), sys::kPageSize,
                                       reinterpret_cast<long>(&is_there));
  return error != 0 || (is_there & 1) != 0;
}

}  // namespace mmt::agnostic
