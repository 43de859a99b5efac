// Checked invariants in three tiers. A failing check prints one line to stderr with write(2),
// allocates nothing, and aborts.
//   MMT_CHECK           always compiled; for what a release build must not survive (reports).
//   MMT_DEBUG_CHECK     debug and paranoid builds (MMT_CHECKS=debug or paranoid in CMake).
//   MMT_PARANOID_CHECK  paranoid builds only; may walk whole structures.
// A condition must have no side effect: it is compiled but not evaluated where its tier is off.
// The two optional values are printed in hexadecimal.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#define MMT_CHECK(condition, ...) MMT_CHECK_TIER_(true, condition, __VA_ARGS__)
#define MMT_DEBUG_CHECK(condition, ...) \
  MMT_CHECK_TIER_(::mmt::core::kDebugChecks, condition, __VA_ARGS__)
#define MMT_PARANOID_CHECK(condition, ...) \
  MMT_CHECK_TIER_(::mmt::core::kParanoidChecks, condition, __VA_ARGS__)

#define MMT_CHECK_TIER_(tier, condition, ...)                                               \
  do {                                                                                      \
    if (tier && MMT_UNLIKELY(!(condition)))                                                 \
      ::mmt::core::check_failed(#condition, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)

namespace mmt::core {

// One line of text in a fixed buffer; what does not fit is cut off.
class CheckLine {
 public:
  CheckLine& text(const char* s) {
    while (s != nullptr && *s != '\0') put(*s++);
    return *this;
  }
  CheckLine& decimal(uint64_t value) { return digits(value, 10); }
  CheckLine& hex(uint64_t value) { return text("0x").digits(value, 16); }

  void write_to(int fd) {
    buffer_[size_++] = '\n';
    const char* from = buffer_;
    while (size_ > 0) {
      const ssize_t written = ::write(fd, from, size_);
      if (written <= 0) return;
      from += written;
      size_ -= static_cast<size_t>(written);
    }
  }

 private:
  void put(char c) {
    if (size_ < sizeof buffer_ - 1) buffer_[size_++] = c;
  }
  CheckLine& digits(uint64_t value, unsigned base) {
    char reversed[20];
    int n = 0;
    do {
      reversed[n++] = "0123456789abcdef"[value % base];
      value /= base;
    } while (value != 0);
    while (n > 0) put(reversed[--n]);
    return *this;
  }

  char buffer_[512];
  size_t size_ = 0;
};

[[noreturn]] MMT_COLD inline void check_failed(const char* condition, const char* file, int line,
                                               const char* text = nullptr) {
  CheckLine out;
  out.text("mmt: check failed: ").text(condition).text(" at ").text(file).text(":");
  out.decimal(static_cast<uint64_t>(line));
  if (text != nullptr) out.text(": ").text(text);
  out.write_to(STDERR_FILENO);
  abort();
}

[[noreturn]] MMT_COLD inline void check_failed(const char* condition, const char* file, int line,
                                               const char* text, uint64_t a, uint64_t b = 0) {
  CheckLine out;
  out.text("mmt: check failed: ").text(condition).text(" at ").text(file).text(":");
  out.decimal(static_cast<uint64_t>(line)).text(": ").text(text).text(" (").hex(a).text(", ");
  out.hex(b).text(")").write_to(STDERR_FILENO);
  abort();
}

}  // namespace mmt::core
