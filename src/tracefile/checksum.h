#pragma once
// CRC-32 as in zip and gzip (polynomial 0xEDB88320), so that other programs can check blocks, too.
#include <array>
#include <cstddef>
#include <cstdint>

namespace mmt::tracefile {

inline constexpr auto kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value % 2 != 0 ? 0xEDB88320 : 0);
    table[i] = value;
  }
  return table;
}();

// The checksum of `before` (0 at the start) and these bytes behind it.
inline uint32_t crc32(uint32_t before, const void* bytes, size_t size) {
  uint32_t crc = ~before;
  const auto* at = static_cast<const uint8_t*>(bytes);
  for (size_t i = 0; i < size; ++i) crc = kCrcTable[(crc ^ at[i]) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

}  // namespace mmt::tracefile
