#pragma once
// Pieces of strings, without functions of libc.
#include <cstddef>

namespace mmt::core {

struct Text {
  const char* data;
  size_t size;

  bool is(Text other) const { return size == other.size && starts_with(other); }
  bool starts_with(Text other) const {
    if (size < other.size) return false;
    for (size_t i = 0; i < other.size; ++i)
      if (data[i] != other.data[i]) return false;
    return true;
  }
  Text from(size_t start) const { return {data + start, size - start}; }
};

// A literal.
template <size_t N>
constexpr Text text(const char (&literal)[N]) {
  return {literal, N - 1};
}

// All of a string.
inline Text whole(const char* string) {
  size_t size = 0;
  while (string[size] != '\0') ++size;
  return {string, size};
}

inline Text file_name(Text path) {
  size_t start = path.size;
  while (start != 0 && path.data[start - 1] != '/') --start;
  return path.from(start);
}

// Takes the piece before the next of two separators off the front of `rest`.
inline Text next_piece(Text* rest, char separator, char other) {
  Text piece{rest->data, 0};
  while (piece.size < rest->size && piece.data[piece.size] != separator &&
         piece.data[piece.size] != other)
    ++piece.size;
  *rest = rest->from(piece.size < rest->size ? piece.size + 1 : piece.size);
  return piece;
}

}  // namespace mmt::core
