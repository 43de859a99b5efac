#pragma once
// One line on stderr, put together without allocating and written by one system call. It may be
// used in any context. Nothing is written where stderr is not the one that the program was started
// with. Texts are shown as core/visible.h has it: they may be a variable's.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/visible.h>
#include <mmt/sys/syscall.h>

#include "core/text_buffer.h"
#include "sys/standard_error.h"

namespace mmt::sys {

class Message {
 public:
  Message& text(const char* s) { return text(s, strlen(s)); }
  Message& text(const char* s, size_t size) {
    core::put_visible(s, size, [this](char c) { line_.add(c); });
    return *this;
  }
  Message& number(uint64_t value) {
    line_.number(value);
    return *this;
  }
  void print() {
    if (has_standard_error()) print_anyway();
  }
  // It writes also to another file that is descriptor 2 now.
  void print_anyway() {
    line_.end_line();
    raw_syscall(SYS_write, STDERR_FILENO, pointer_argument(line_.data()),
                static_cast<long>(line_.size()));
  }

 private:
  core::TextBuffer<359> line_;
};

}  // namespace mmt::sys
