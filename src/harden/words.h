#pragma once
// The last eight bytes of a block are its tail. It tells where and when the block was allocated,
// and freed. A sum goes over all that, the tail's own address and a secret. A write beyond the
// block, or before its right neighbour, breaks the sum. The bytes between what the program asked
// for and the tail are the gap, and hold one secret byte.
//
// A freed block keeps its tail, all its other bytes are zero. Sums are of 16 bits, in the lowest
// bytes: an overflow by one or two bytes leaves the sites readable.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>

#include "harden/times.h"

namespace mmt::harden {

inline constexpr size_t kTailBytes = 8;
// So much of a gap is written and looked at, from its beginning on, and its last eight bytes.
inline constexpr size_t kGapBytes = 4096;

// Chosen once, before the first block.
struct Secrets {
  uint64_t sum;  // of tails
  uint64_t gap;  // one byte eight times, above 0x80: text and zeros never equal it
};
extern Secrets secrets;
void choose_secrets();

// Numbers that stand for return addresses: see sites.h. 0: none is known.
using Site = uint16_t;

struct Tail {
  uint64_t word;

  static MMT_ALWAYS_INLINE uint16_t sum(uint64_t told, const void* at) {
    constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
    const uint64_t mixed = (told ^ secrets.sum) + reinterpret_cast<uintptr_t>(at);
    return static_cast<uint16_t>(mixed * kFactor >> 48);
  }
  // For the eight bytes at `at`, of a block that is allocated now.
  static MMT_ALWAYS_INLINE Tail of_new(const void* at, Site allocated) {
    return with_sum(uint64_t{allocated} << 16 | now_seen << kAllocatedShift, at);
  }
  // For a block that is freed now, and had the tail `live`.
  static MMT_ALWAYS_INLINE Tail of_freed(const void* at, Tail live, Site freed) {
    return with_sum((live.word & kOfAllocation) | uint64_t{freed} << 32 | now_seen << kFreedShift,
                    at);
  }
  static MMT_ALWAYS_INLINE Tail with_sum(uint64_t word, const void* at) {
    return {word | sum(word, at)};
  }
  static MMT_ALWAYS_INLINE Tail load(const void* at) {
    return {__atomic_load_n(static_cast<const uint64_t*>(at), __ATOMIC_RELAXED)};
  }
  MMT_ALWAYS_INLINE void store(void* at) const {
    __atomic_store_n(static_cast<uint64_t*>(at), word, __ATOMIC_RELAXED);
  }

  MMT_ALWAYS_INLINE bool is_right(const void* at) const {
    return static_cast<uint16_t>(word) == sum(word & ~uint64_t{0xffff}, at);
  }
  Site allocated() const { return static_cast<Site>(word >> 16); }
  Site freed() const { return static_cast<Site>(word >> 32); }
  Tick allocated_at() const { return static_cast<Tick>(word >> kAllocatedShift); }
  Tick freed_at() const { return static_cast<Tick>(word >> kFreedShift); }

  static constexpr unsigned kAllocatedShift = 48;
  static constexpr unsigned kFreedShift = 56;
  static constexpr uint64_t kOfAllocation = uint64_t{0xff} << kAllocatedShift | 0xffff0000;
};

// The low bytes of a word, by their number.
inline constexpr uint64_t kLowBytes[9] = {
    0,
    0xff,
    0xffff,
    0xffffff,
    0xffffffff,
    0xffffffffff,
    0xffffffffffff,
    0xffffffffffffff,
    ~uint64_t{0},
};

// Where the last eight bytes of a gap begin; of a shorter one, where the gap does.
MMT_ALWAYS_INLINE size_t last_of_gap(size_t bytes) { return bytes > 8 ? bytes - 8 : 0; }

// The `bytes` of a gap. So long a one as most have is written without a branch, and what is written
// behind it is the tail's, which is written later.
MMT_ALWAYS_INLINE void fill_gap(char* from, size_t bytes) {
  char* const last = from + last_of_gap(bytes);
  memcpy(from, &secrets.gap, 8);
  memcpy(last, &secrets.gap, 8);
  if (MMT_LIKELY(bytes <= 16)) return;
  for (size_t at = 8; at < kGapBytes && from + at < last; at += 8)
    memcpy(from + at, &secrets.gap, 8);
}

// Whether they are as fill_gap leaves them.
MMT_ALWAYS_INLINE bool is_gap_whole(const char* from, size_t bytes) {
  const char* const last = from + last_of_gap(bytes);
  uint64_t first;
  uint64_t other;
  memcpy(&first, from, 8);
  memcpy(&other, last, 8);
  const uint64_t differing =
      ((first ^ secrets.gap) | (other ^ secrets.gap)) & kLowBytes[bytes < 8 ? bytes : 8];
  if (MMT_LIKELY(bytes <= 16)) return differing == 0;
  uint64_t any = differing;
  for (size_t at = 8; at < kGapBytes && from + at < last; at += 8) {
    memcpy(&other, from + at, 8);
    any |= other ^ secrets.gap;
  }
  return any == 0;
}

}  // namespace mmt::harden
