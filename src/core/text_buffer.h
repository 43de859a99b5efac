#pragma once
// Text put together in a buffer of fixed size, without allocating; what does not fit is cut off.
// Any context.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/visible.h>

namespace mmt::core {

template <size_t kCapacity>
class TextBuffer {
 public:
  const char* data() const { return buffer_; }
  size_t size() const { return size_; }
  // The text, ended by zero.
  const char* c_str() {
    buffer_[size_] = '\0';
    return buffer_;
  }
  bool cut_off() const { return cut_off_; }
  void clear() {
    size_ = 0;
    cut_off_ = false;
  }

  TextBuffer& add(char c) {
    if (size_ < kCapacity)
      buffer_[size_++] = c;
    else
      cut_off_ = true;
    return *this;
  }
  TextBuffer& add(const char* s) {
    while (*s != '\0') add(*s++);
    return *this;
  }
  TextBuffer& add(const char* s, size_t size) {
    for (size_t i = 0; i < size; ++i) add(s[i]);
    return *this;
  }
  // The line's end, in place of the last character where there is no room.
  TextBuffer& end_line() {
    if (size_ == kCapacity) --size_;
    return add('\n');
  }
  // In decimal, filled up with spaces on the left to `width`.
  TextBuffer& number(uint64_t value, size_t width = 0) {
    char digits[20];
    size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    for (size_t i = count; i < width; ++i) add(' ');
    while (count > 0) add(digits[--count]);
    return *this;
  }
  // In hexadecimal, behind "0x".
  TextBuffer& hex(uint64_t value) {
    add("0x");
    int shift = 60;
    while (shift > 0 && value >> shift == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) add("0123456789abcdef"[value >> shift & 15]);
    return *this;
  }
  // `s`, filled up with spaces on the right to `width`.
  TextBuffer& column(const char* s, size_t width) {
    add(s);
    for (size_t i = strlen(s); i < width; ++i) add(' ');
    return *this;
  }
  // A name, as it may be shown (visible.h); of a long one, the beginning.
  TextBuffer& visible(const char* s) { return visible(s, strlen(s)); }
  TextBuffer& visible(const char* s, size_t size) {
    const size_t most = size_ + kMostOfAName;
    put_visible(s, size, [this, most](char c) {
      if (size_ < most) add(c);
    });
    return *this;
  }
  // The same as a JSON string, with its quotes, which is valid whatever the bytes.
  TextBuffer& quoted(const char* s) {
    const size_t most = size_ + kMostOfAName;
    add('"');
    for (size_t left = strlen(s); left != 0 && size_ < most;) {
      const Letter letter = first_letter(s, left);
      const bool is_plain = is_shown(letter);
      if (*s == '"' || *s == '\\') add('\\');
      if (is_plain)
        for (uint32_t i = 0; i < letter.bytes; ++i) add(s[i]);
      else
        add_unit(letter);
      s += letter.bytes;
      left -= letter.bytes;
    }
    return add('"');
  }

 private:
  // What programs are called must not keep out what comes behind.
  static constexpr size_t kMostOfAName = 4096;

  // U+FFFD for what is no text; two units beyond U+FFFF.
  void add_unit(const Letter& letter) {
    auto put = [this](char c) { add(c); };
    const auto unit = [&](uint32_t code) {
      add("\\u");
      put_hex(code, 4, put);
    };
    if (letter.code > 0xFFFF) unit(0xD7C0 + (letter.code >> 10));
    unit(!letter.is_utf8        ? 0xFFFD
         : letter.code > 0xFFFF ? 0xDC00 + (letter.code & 0x3FF)
                                : letter.code);
  }

  char buffer_[kCapacity + 1];
  size_t size_ = 0;
  bool cut_off_ = false;
};

}  // namespace mmt::core
