#pragma once
// Text of others made fit to be shown: names, arguments, and messages that quote them. What would
// move a cursor, end a line, turn the order of letters or stay unseen becomes a visible escape:
// "\n", "\x1b", "\u202e". lab/mmt_lab/text/visible.py does the same.
//
// Without libc and allocation; any context.
#include <cstddef>
#include <cstdint>

namespace mmt::core {

struct Letter {
  uint32_t code = 0;     // of a byte that is no part of UTF-8: the byte
  uint32_t bytes = 1;    // that it takes
  bool is_utf8 = false;  // else it is such a byte
};

// The first of `size` bytes, which are not none.
constexpr Letter first_letter(const char* text, size_t size) {
  const auto byte = [text](size_t at) { return uint32_t{static_cast<unsigned char>(text[at])}; };
  const uint32_t first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const uint32_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || size < bytes) return {first, 1, false};
  uint32_t code = first & (0x7Fu >> bytes);
  for (uint32_t i = 1; i < bytes; ++i) {
    if (byte(i) >> 6 != 2) return {first, 1, false};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool is_overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (is_overlong || is_surrogate || code > 0x10FFFF) return {first, 1, false};
  return {code, bytes, true};
}

// Controls, what has no shape, and what changes the direction or the end of a line.
constexpr bool is_hidden(uint32_t code) {
  const auto within = [code](uint32_t first, uint32_t last) {
    return code >= first && code <= last;
  };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0xAD || code == 0x61C || code == 0x180E ||
         within(0x200B, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F) ||
         code == 0xFEFF || within(0xFFF9, 0xFFFB) || within(0xE0000, 0xE0FFF);
}

constexpr bool is_shown(const Letter& letter) { return letter.is_utf8 && !is_hidden(letter.code); }

// Calls put(char) for `digits` hexadecimal ones.
template <class Put>
constexpr void put_hex(uint32_t code, uint32_t digits, Put& put) {
  while (digits-- != 0) put("0123456789abcdef"[code >> (4 * digits) & 15]);
}

template <class Put>
constexpr void put_escape(const Letter& letter, Put& put) {
  put('\\');
  if (letter.code == '\n') return put('n');
  if (letter.code == '\r') return put('r');
  if (letter.code == '\t') return put('t');
  const bool is_short = !letter.is_utf8 || letter.code < 0x80;
  const bool is_long = letter.code > 0xFFFF;
  put(is_short ? 'x' : is_long ? 'U' : 'u');
  put_hex(letter.code, is_short ? 2 : is_long ? 8 : 4, put);
}

// Calls put(char) for each char of the text as it is to be shown.
template <class Put>
constexpr void put_visible(const char* text, size_t size, Put put) {
  for (size_t at = 0; at < size;) {
    const Letter letter = first_letter(text + at, size - at);
    if (is_shown(letter)) {
      for (size_t i = 0; i < letter.bytes; ++i) put(text[at + i]);
    } else {
      put_escape(letter, put);
    }
    at += letter.bytes;
  }
}

// A name as it may be shown, for what prints by itself; what does not fit is cut off.
template <size_t kCapacity = 511>
class VisibleText {
 public:
  explicit constexpr VisibleText(const char* text) {
    size_t size = 0;
    while (text[size] != '\0') ++size;
    put_visible(text, size, [this](char c) {
      if (size_ < kCapacity) shown_[size_++] = c;
    });
  }
  constexpr const char* c_str() const { return shown_; }

 private:
  char shown_[kCapacity + 1]{};
  size_t size_ = 0;
};

}  // namespace mmt::core
