#pragma once
// Text put together in a buffer of fixed size, without allocating; what does not fit is cut off.
// Any context.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mmt::observe {

template <size_t kCapacity>
class Text {
 public:
  const char* data() const { return buffer_; }
  size_t size() const { return size_; }
  // The text, ended by zero.
  const char* c_str() {
    buffer_[size_] = '\0';
    return buffer_;
  }
  bool cut_off() const { return cut_off_; }

  Text& add(char c) {
    if (size_ < kCapacity)
      buffer_[size_++] = c;
    else
      cut_off_ = true;
    return *this;
  }
  Text& add(const char* s) {
    while (*s != '\0') add(*s++);
    return *this;
  }
  // In decimal, filled up with spaces on the left to `width`.
  Text& number(uint64_t value, size_t width = 0) {
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
  // `s`, filled up with spaces on the right to `width`.
  Text& column(const char* s, size_t width) {
    add(s);
    for (size_t i = strlen(s); i < width; ++i) add(' ');
    return *this;
  }
  // As a JSON string, with its quotes. Bytes that are no ASCII pass as they are.
  Text& quoted(const char* s) {
    add('"');
    for (; *s != '\0'; ++s) {
      const auto byte = static_cast<unsigned char>(*s);
      if (*s == '"' || *s == '\\')
        add('\\').add(*s);
      else if (byte < 0x20)
        add("\\u00").add("0123456789abcdef"[byte >> 4]).add("0123456789abcdef"[byte & 15]);
      else
        add(*s);
    }
    return add('"');
  }

 private:
  char buffer_[kCapacity + 1];
  size_t size_ = 0;
  bool cut_off_ = false;
};

}  // namespace mmt::observe
