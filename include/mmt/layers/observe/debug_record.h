// What DebugHeap knows of a block, and the patterns around and in it. There are 16 bytes of guard
// before and behind each block. Their values differ from byte to byte: no one value repeats them.
#pragma once

#include <cstdint>
#include <cstring>

#include <mmt/layers/heap.h>

namespace mmt::layers {

enum class BlockState : uint8_t { kFresh, kLive, kQuarantined, kFreed };

struct DebugRecord {
  size_t size;
  const void* next;    // in the quarantine
  uint32_t allocated;  // numbers of places
  uint32_t freed;
  uint8_t front_log2;  // from the super-heap's block to ours
  BlockState state;
  bool freed_in_odd_era;

  bool is_live() const { return state == BlockState::kLive; }
  size_t front() const { return size_t{1} << front_log2; }
  bool contains(const void* block, const void* address) const {
    const auto* begin = static_cast<const char*>(block);
    return address >= begin && address < begin + size;
  }
};

namespace detail {

inline constexpr size_t kGuard = kBlockAlignment;
inline constexpr unsigned char kFreshFill = 0xcb;  // of blocks that are given out
inline constexpr unsigned char kFreedFill = 0xdb;

inline constexpr struct GuardPattern {
  constexpr GuardPattern() {
    for (size_t i = 0; i < kGuard; ++i) bytes[i] = static_cast<unsigned char>(0x91 + 7 * i);
  }
  unsigned char bytes[kGuard]{};
} kGuardPattern;

inline void write_guard(void* guard) { std::memcpy(guard, kGuardPattern.bytes, kGuard); }
// The first byte that was changed, or null; a changed guard is mended.
inline const void* mend_guard(void* guard) {
  if (std::memcmp(guard, kGuardPattern.bytes, kGuard) == 0) return nullptr;
  auto* byte = static_cast<unsigned char*>(guard);
  for (const unsigned char expected : kGuardPattern.bytes) {
    if (*byte != expected) break;
    ++byte;
  }
  write_guard(guard);
  return byte;
}

// Only the beginning of a large block is filled, as untouched pages cost nothing.
inline size_t filled_of(size_t bytes) {
  return bytes < (size_t{1} << 20) ? bytes : size_t{1} << 20;
}
inline void fill(void* block, size_t bytes, unsigned char value) {
  std::memset(block, value, filled_of(bytes));
}
// The first byte that is not as freed memory was filled, or null; it is filled again.
inline const void* mend_freed(void* block, size_t bytes) {
  auto* const begin = static_cast<unsigned char*>(block);
  for (size_t i = 0; i < filled_of(bytes); ++i) {
    if (begin[i] == kFreedFill) continue;
    fill(block, bytes, kFreedFill);
    return begin + i;
  }
  return nullptr;
}

}  // namespace detail
}  // namespace mmt::layers
