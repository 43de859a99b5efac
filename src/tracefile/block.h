#pragma once
// A trace file is a magic text and blocks behind it (docs/trace_format.md). Each block tells its
// kind, its length, and a checksum of all of it. The last block is the index, and the file's last
// bytes name its place.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tracefile/checksum.h"

namespace mmt::tracefile {

inline constexpr std::string_view kMagic = "mmttrace";
inline constexpr uint32_t kVersion = 1;
inline constexpr size_t kPreambleBytes = 12;  // magic, version
inline constexpr size_t kBlockHeadBytes = 12;
inline constexpr std::string_view kTrailMagic = "mmtindex";
inline constexpr size_t kTrailBytes = 16;  // place of the index, trail magic
// No block that was written is longer.
inline constexpr uint32_t kLongestBlock = 64u << 20;

// The most that texts of call sites, each a std::string, may take of a file of so many bytes. Real
// ones are less alike than 256 to one.
constexpr uint64_t most_of_sites(uint64_t bytes) {
  const uint64_t most = bytes > UINT64_MAX / 256 ? UINT64_MAX : 256 * bytes;
  return most < kLongestBlock ? kLongestBlock : most;
}

enum class BlockKind : uint32_t {
  kHeader = 1,
  kEvents = 2,
  kSites = 3,
  kIndex = 4,
};

inline void put_fixed(uint8_t* to, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

inline uint64_t get_fixed(const uint8_t* from, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= uint64_t{from[i]} << (8 * i);
  return value;
}

struct BlockHead {
  uint32_t kind = 0;
  uint32_t size = 0;  // of what follows
  uint32_t crc = 0;   // of kind, size, and what follows

  static BlockHead of(BlockKind kind, const std::vector<uint8_t>& content) {
    BlockHead head{static_cast<uint32_t>(kind), static_cast<uint32_t>(content.size()), 0};
    head.crc = head.crc_over(content.data());
    return head;
  }
  static BlockHead from(const uint8_t* bytes) {
    return {static_cast<uint32_t>(get_fixed(bytes, 4)),
            static_cast<uint32_t>(get_fixed(bytes + 4, 4)),
            static_cast<uint32_t>(get_fixed(bytes + 8, 4))};
  }

  std::array<uint8_t, kBlockHeadBytes> bytes() const {
    std::array<uint8_t, kBlockHeadBytes> all;
    put_fixed(all.data(), kind, 4);
    put_fixed(all.data() + 4, size, 4);
    put_fixed(all.data() + 8, crc, 4);
    return all;
  }
  uint32_t crc_over(const uint8_t* content) const {
    return crc32(crc32(0, bytes().data(), 8), content, size);
  }
};

}  // namespace mmt::tracefile
