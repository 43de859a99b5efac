#pragma once
// One line on stderr, put together without allocating and written by one system call. Any context.
// Nothing is written where stderr is not the one that the program was started with. Texts are shown
// as core/visible.h has it: they may be a variable's.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/visible.h>
#include <mmt/sys/syscall.h>

#include "heap/options/standard_error.h"

namespace mmt::heap {

class Message {
 public:
  Message& text(const char* s) { return text(s, strlen(s)); }
  Message& text(const char* s, size_t size) {
    core::put_visible(s, size, [this](char c) { put(c); });
    return *this;
  }
  Message& number(uint64_t value) {
    char digits[20];
    int n = 0;
    do {
      digits[n++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    while (n > 0) put(digits[--n]);
    return *this;
  }
  void print() {
    buffer_[size_++] = '\n';
    if (!has_standard_error()) return;
    sys::raw_syscall(SYS_write, STDERR_FILENO, sys::pointer_argument(buffer_),
                     static_cast<long>(size_));
  }

 private:
  void put(char c) {
    if (size_ + 1 < sizeof(buffer_)) buffer_[size_++] = c;
  }

  char buffer_[360];
  size_t size_ = 0;
};

}  // namespace mmt::heap
