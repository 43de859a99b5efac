// Text for a file descriptor, through a buffer of kBytes, at least 1: one write for all that fits.
// Allocates nothing and keeps errno, so that it may be used within malloc and free. What cannot be
// written is dropped. One thread may use it.
#pragma once

#include <errno.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace mmt::layers {

template <size_t kBytes>
class TextOutput {
 public:
  constexpr explicit TextOutput(int descriptor) : descriptor_(descriptor) {}
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;
  ~TextOutput() { flush(); }

  // What was put before goes to the descriptor of before.
  void write_to(int descriptor) {
    flush();
    descriptor_ = descriptor;
  }

  TextOutput& put(char c) {
    if (used_ == kBytes) flush();
    buffer_[used_++] = c;
    return *this;
  }
  TextOutput& text(const char* s) {
    while (*s != '\0') put(*s++);
    return *this;
  }
  TextOutput& decimal(uint64_t value) { return digits<10>(value); }
  // It is written without a prefix.
  TextOutput& hex(uint64_t value) { return digits<16>(value); }
  TextOutput& address(const void* at) {
    return text("0x").hex(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(at)));
  }

  void flush() {
    const int saved = errno;
    for (size_t from = 0; from < used_;) {
      const ssize_t written = ::write(descriptor_, buffer_ + from, used_ - from);
      if (written <= 0 && errno != EINTR) break;
      if (written > 0) from += static_cast<size_t>(written);
    }
    used_ = 0;
    errno = saved;
  }

 private:
  template <unsigned kBase>
  TextOutput& digits(uint64_t value) {
    char reversed[20];
    size_t n = 0;
    do {
      reversed[n++] = "0123456789abcdef"[value % kBase];
      value /= kBase;
    } while (value != 0);
    while (n > 0) put(reversed[--n]);
    return *this;
  }

  int descriptor_;
  size_t used_ = 0;
  char buffer_[kBytes]{};
};

}  // namespace mmt::layers
