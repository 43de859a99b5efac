// What PHKmalloc fills blocks with: 0xd0, for "Duh", so that pointers out of it are no addresses.
#pragma once

#include <cstddef>
#include <cstring>

namespace mmt::layers {

inline constexpr unsigned char kPhkJunk = 0xd0;

// Whether all bytes have that value.
inline bool is_all(const void* bytes, unsigned char value, size_t count) {
  const auto* byte = static_cast<const unsigned char*>(bytes);
  return count == 0 || (*byte == value && std::memcmp(byte, byte + 1, count - 1) == 0);
}

}  // namespace mmt::layers
