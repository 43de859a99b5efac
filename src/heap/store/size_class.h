#pragma once
// Size classes of the native heap and the spans that hold them.
//
// Classes are 1..64; 0 means "none". Sizes have steps of 16 bytes to 256, 32 to 512, and 64 to
// 1024. Above 1024 four sizes come to a doubling, up to 256 KiB. So at most a quarter (above 1 KiB)
// of a block is lost to rounding. Every size is a multiple of 16. The tables are constant, and are
// for any thread in any context.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace mmt::store {

using SizeClass = uint32_t;

inline constexpr SizeClass kNoClass = 0;
inline constexpr SizeClass kClassCount = 65;  // including kNoClass
inline constexpr size_t kMaxSmallSize = 1024;
inline constexpr size_t kMaxClassSize = size_t{256} << 10;
inline constexpr SizeClass kFirstGeometricClass = 33;

inline constexpr size_t kSlotShift = 16;
inline constexpr size_t kSlotBytes = size_t{1} << kSlotShift;
inline constexpr uint32_t kMaxCacheLimit = 512;
inline constexpr size_t kMaxBitmapWords = kSlotBytes / 16 / 64;

struct ClassInfo {
  uint32_t size;        // bytes of a block
  uint32_t span_slots;  // slots of a span: 1, 4 or 16, and aligned to it
  uint32_t blocks;      // blocks of a span
  uint32_t words;       // 64-bit words of a span's bitmap
  uint32_t reciprocal;  // ceil(2^32 / size): index = offset * reciprocal >> 32, exact for multiples
  uint32_t cache_limit;   // freed blocks a client keeps at first
  uint32_t widest_cache;  // and at most: see heap/thread/cache_width.h
};

// Word i of a span's bitmap whose blocks are all free.
constexpr uint64_t full_word(const ClassInfo& info, uint32_t i) {
  return i + 1 < info.words ? ~uint64_t{0} : ~uint64_t{0} >> (info.words * 64 - info.blocks);
}

namespace detail {

constexpr uint32_t class_size(SizeClass c) {
  if (c <= 16) return 16 * c;
  if (c <= 24) return 256 + 32 * (c - 16);
  if (c <= 32) return 512 + 64 * (c - 24);
  const uint32_t step = c - kFirstGeometricClass;
  const uint32_t base = uint32_t{1024} << (step / 4);
  return base + base / 4 * (step % 4 + 1);
}

constexpr uint32_t clamp(uint32_t low, uint32_t value, uint32_t high) {
  return value < low ? low : value > high ? high : value;
}

constexpr std::array<ClassInfo, kClassCount> make_class_table() {
  std::array<ClassInfo, kClassCount> table{};
  for (SizeClass c = 1; c < kClassCount; ++c) {
    ClassInfo& info = table[c];
    info.size = class_size(c);
    info.span_slots = info.size <= 8192 ? 1 : info.size <= 32768 ? 4 : 16;
    info.blocks = static_cast<uint32_t>(info.span_slots * kSlotBytes / info.size);
    info.words = (info.blocks + 63) / 64;
    info.reciprocal = static_cast<uint32_t>(((uint64_t{1} << 32) + info.size - 1) / info.size);
    info.cache_limit = info.size <= 8192 ? clamp(8, 65536 / info.size, kMaxCacheLimit)
                                         : clamp(2, 131072 / info.size, 16);
    info.widest_cache =
        info.size <= 32768 ? clamp(32, 4 * info.cache_limit, kMaxCacheLimit) : 4 * info.cache_limit;
  }
  return table;
}

}  // namespace detail

inline constexpr std::array<ClassInfo, kClassCount> kClasses = detail::make_class_table();

constexpr SizeClass geometric_class(size_t size) {
  const size_t last = size - 1;
  const auto magnitude = static_cast<uint32_t>(std::bit_width(last)) - 1;
  const auto quarter = static_cast<uint32_t>(last >> (magnitude - 2)) & 3;
  return kFirstGeometricClass + (magnitude - 10) * 4 + quarter;
}

constexpr SizeClass stepped_class(size_t size) {
  if (size <= 256) return size == 0 ? 1 : static_cast<SizeClass>((size + 15) / 16);
  if (size <= 512) return static_cast<SizeClass>(16 + (size - 256 + 31) / 32);
  return static_cast<SizeClass>(24 + (size - 512 + 63) / 64);
}

// The class for blocks of `size` bytes, 0..kMaxClassSize.
constexpr SizeClass class_of_size(size_t size) {
  return size <= kMaxSmallSize ? stepped_class(size) : geometric_class(size);
}

// The smallest class whose blocks are all aligned to `alignment` (a power of two) and hold `size`
// bytes; kNoClass when there is none.
constexpr SizeClass class_of_aligned_size(size_t size, size_t alignment) {
  if (size > kMaxClassSize || alignment > kSlotBytes) return kNoClass;
  for (SizeClass c = class_of_size(size < alignment ? alignment : size); c < kClassCount; ++c)
    if (kClasses[c].size % alignment == 0) return c;
  return kNoClass;
}

}  // namespace mmt::store
