#include "harden/code.h"

#include <fcntl.h>

#include <algorithm>

#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::harden {
namespace {

// "start-end rwxp ...", letter by letter.
class LineReader {
 public:
  // True: a line has ended, or what matters of it, and it is of code.
  bool take(char c) {
    if (c == '\n') {
      *this = {};
      return false;
    }
    if (field_ < 2) {
      const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      uintptr_t& value = field_ == 0 ? start : end;
      if (digit >= 0)
        value = value << 4 | static_cast<uintptr_t>(digit);
      else
        ++field_;
      return false;
    }
    return field_ < 6 && ++field_ == 5 && c == 'x';
  }

  uintptr_t start = 0;
  uintptr_t end = 0;

 private:
  unsigned field_ = 0;  // from 2 on, the letters of the rights
};

char buffer[4096];

}  // namespace

void Code::Table::add(Range range) {
  // The kernel's page of system calls, by which all addresses would lie between the first and last.
  if (range.start >> 63 != 0) return;
  if (count != 0 && ranges[count - 1].end == range.start)
    ranges[count - 1].end = range.end;
  else if (count != kMost)
    ranges[count++] = range;
}

void Code::Table::read() {
  const long file = sys::raw_syscall(SYS_openat, AT_FDCWD, sys::pointer_argument("/proc/self/maps"),
                                     O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  count = 0;
  LineReader line;
  for (;;) {
    const long got =
        sys::raw_syscall(SYS_read, file, sys::pointer_argument(buffer), long{sizeof buffer});
    if (got <= 0) break;
    for (long i = 0; i < got; ++i)
      if (line.take(buffer[i])) add({line.start, line.end});
  }
  sys::raw_syscall(SYS_close, file);
}

bool Code::has(uintptr_t address) const {
  // Acquire: with the table comes what it holds. Partner: learn.
  const Table* const table = current_.load(std::memory_order_acquire);
  if (table == nullptr || table->count == 0) return false;
  const Range* const first = table->ranges;
  const Range* const end = first + table->count;
  if (address < first->start || address >= end[-1].end) return false;
  const Range* const after = std::upper_bound(
      first, end, address, [](uintptr_t one, const Range& range) { return one < range.start; });
  return address < after[-1].end;
}

void Code::learn(const void* address) {
  if (has(reinterpret_cast<uintptr_t>(address)) || sys::is_quiet()) return;
  if (in_vain_ != 0 && in_vain_++ < kPatience) return;
  Table* const next = current_.load(std::memory_order_relaxed) == tables_ ? tables_ + 1 : tables_;
  next->read();
  current_.store(next, std::memory_order_release);  // see has
  in_vain_ = has(reinterpret_cast<uintptr_t>(address)) ? 0 : 1;
}

}  // namespace mmt::harden
