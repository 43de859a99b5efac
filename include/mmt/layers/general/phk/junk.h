// What PHKmalloc fills blocks with: 0xd0, for "Duh", so that pointers out of it are no addresses.
#pragma once

#include <cstddef>
#include <cstring>

#include <mmt/core/compiler.h>

namespace mmt::layers {

inline constexpr unsigned char kPhkJunk = 0xd0;

// It works as memset. The small ones, which most blocks are, go without a call: by pairs of pieces
// that overlap.
MMT_ALWAYS_INLINE void fill_bytes(void* to, unsigned char value, size_t bytes) {
  char* const begin = static_cast<char*>(to);
  if (MMT_UNLIKELY(bytes > 64)) {
    std::memset(begin, value, bytes);
  } else if (bytes >= 32) {
    std::memset(begin, value, 32);
    std::memset(begin + bytes - 32, value, 32);
  } else if (bytes >= 16) {
    std::memset(begin, value, 16);
    std::memset(begin + bytes - 16, value, 16);
  } else if (bytes >= 8) {
    std::memset(begin, value, 8);
    std::memset(begin + bytes - 8, value, 8);
  } else {
    for (size_t i = 0; i != bytes; ++i) begin[i] = static_cast<char>(value);
  }
}

// Whether all bytes have that value.
inline bool is_all(const void* bytes, unsigned char value, size_t count) {
  const auto* byte = static_cast<const unsigned char*>(bytes);
  return count == 0 || (*byte == value && std::memcmp(byte, byte + 1, count - 1) == 0);
}

}  // namespace mmt::layers
