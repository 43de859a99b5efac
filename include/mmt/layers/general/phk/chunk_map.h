// Which chunks of a page are free: a bit each, 1 for free. All have the same size, a power of two
// of at least 16 bytes. A chunk is told by its index in the page. The map is for one thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::layers {

inline constexpr size_t kPhkPage = 4096;

class ChunkMap {
 public:
  static constexpr size_t kLeastShift = 4;

  // Chunks of 1 << shift bytes, all of them free.
  void start(size_t shift) {
    const size_t chunks = kPhkPage >> shift;
    for (size_t i = 0; i != kWords; ++i) bits_[i] = chunks >= (i + 1) * 64 ? ~uint64_t{0} : 0;
    if (chunks < 64) bits_[0] = bit(chunks) - 1;
    shift_ = static_cast<uint8_t>(shift);
    free_ = static_cast<uint16_t>(chunks);
  }

  size_t shift() const { return shift_; }
  size_t size() const { return size_t{1} << shift_; }
  size_t free_count() const { return free_; }
  bool is_all_free() const { return size_t{free_} << shift_ == kPhkPage; }

  // The chunk that an address lies in.
  size_t chunk_at(const void* address) const {
    return (reinterpret_cast<uintptr_t>(address) % kPhkPage) >> shift_;
  }
  bool is_begin(const void* address) const {
    return (reinterpret_cast<uintptr_t>(address) & (size() - 1)) == 0;
  }
  bool is_free(size_t chunk) const { return (bits_[chunk / 64] >> chunk % 64 & 1) != 0; }

  // One is free.
  MMT_ALWAYS_INLINE size_t lowest() const {
    size_t word = 0;
    while (bits_[word] == 0) ++word;
    return word * 64 + static_cast<unsigned>(std::countr_zero(bits_[word]));
  }
  // The free one that has so many free ones before it.
  size_t after(size_t skipped) const {
    for (size_t chunk = 0;; ++chunk) {
      if (is_free(chunk) && skipped-- == 0) return chunk;
    }
  }
  void take(size_t chunk) {
    bits_[chunk / 64] &= ~bit(chunk);
    --free_;
  }
  void give(size_t chunk) {
    bits_[chunk / 64] |= bit(chunk);
    ++free_;
  }

 private:
  static constexpr size_t kWords = (kPhkPage >> kLeastShift) / 64;
  static uint64_t bit(size_t chunk) { return uint64_t{1} << chunk % 64; }

  uint64_t bits_[kWords] = {};
  uint16_t free_ = 0;
  uint8_t shift_ = 0;
};

}  // namespace mmt::layers
