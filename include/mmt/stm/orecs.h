// The table of orecs (ownership records), one 64-bit word each:
//
//   - free    version << 4 | incarnation << 1         the commit that wrote its words last
//   - locked  1 << 63 | entry << 16 | thread << 1     the owner, and its first write entry under it
//
// A locked one is larger than all free ones: one comparison asks for "free and not too new".
// The incarnation tells apart values that a write-through transaction wrote and took back.
// Versions stay below 2^59, and numbers of threads below 2^15.
// Any thread may call it. The contents mean something to the designs only.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/stm/options.h>
#include <mmt/stm/world.h>

namespace mmt::stm {

namespace orec {
inline constexpr unsigned kVersionShift = 4;
inline constexpr uint64_t kIncarnations = 8;

inline constexpr uint64_t kLocked = uint64_t{1} << 63;

constexpr bool locked(uint64_t word) { return (word & kLocked) != 0; }
constexpr uint64_t version(uint64_t word) { return word >> kVersionShift; }
constexpr uint64_t incarnation(uint64_t word) { return (word >> 1) % kIncarnations; }
constexpr uint64_t of_version(uint64_t version) { return version << kVersionShift; }
// The largest free word of this version.
constexpr uint64_t newest_of(uint64_t version) { return of_version(version) | 15; }
constexpr uint64_t next_incarnation(uint64_t word) { return word + 2; }

constexpr uint64_t lock(uint32_t thread, size_t entry) {
  return kLocked | uint64_t{entry} << 16 | uint64_t{thread} << 1;
}
constexpr uint32_t owner(uint64_t word) { return static_cast<uint32_t>(word >> 1) & 0x7fff; }
constexpr size_t entry(uint64_t word) { return (word & ~kLocked) >> 16; }
}  // namespace orec

// Where the orec of a word is. Each thread has a copy beside what else it needs at every read.
template <class World>
class OrecFinder {
 public:
  using Orec = typename World::template Atomic<uint64_t>;
  using Word = typename World::Word;

  OrecFinder(Orec* table, const Options& options)
      : table_(table),
        mask_((uint64_t{1} << options.log2_orecs) - 1),
        shift_(options.shift),
        log2_(options.log2_orecs),
        hash_(options.hash) {}

  unsigned shift() const { return shift_; }
  size_t size() const { return mask_ + 1; }
  Orec* table() const { return table_; }

  // The hash is the mask: then `of` is `masked`.
  bool masks() const { return hash_ == Hash::kMask; }
  MMT_ALWAYS_INLINE Orec& masked(const Word* word) const {
    return table_[(reinterpret_cast<uintptr_t>(word) >> shift_) & mask_];
  }
  MMT_ALWAYS_INLINE size_t index_of(uintptr_t address) const {
    const uint64_t stripe = address >> shift_;
    if (MMT_LIKELY(hash_ == Hash::kMask)) return stripe & mask_;
    return hashed(stripe);
  }
  MMT_ALWAYS_INLINE Orec& of(const Word* word) const {
    return table_[index_of(reinterpret_cast<uintptr_t>(word))];
  }

 private:
  size_t hashed(uint64_t stripe) const {
    if (log2_ == 0) return 0;
    switch (hash_) {
      case Hash::kByteSwap:
        return bytes_swapped(stripe & mask_);
      case Hash::kMultiply:
        return (stripe * 0x9e3779b97f4a7c15U) >> (64 - log2_);
      case Hash::kXorFold:
        return (stripe ^ (stripe >> log2_) ^ (stripe >> 2 * log2_)) & mask_;
      case Hash::kMask:
        break;
    }
    return stripe & mask_;
  }

  // Another order of the same indices, in which neighbours share no cache line.
  size_t bytes_swapped(uint64_t index) const {
    if (log2_ >= 16) {
      return (index & ~uint64_t{0xffff}) | __builtin_bswap16(static_cast<uint16_t>(index));
    }
    const unsigned half = log2_ / 2;
    return ((index << half) | (index >> (log2_ - half))) & mask_;
  }

  Orec* const table_;
  const uint64_t mask_;
  const unsigned shift_, log2_;
  const Hash hash_;
};

template <class World>
class Orecs {
 public:
  using Orec = typename World::template Atomic<uint64_t>;
  using Word = typename World::Word;

  explicit Orecs(const Options& options)
      : finder_(World::template make_array<Orec>(size_t{1} << options.log2_orecs), options) {}
  Orecs(const Orecs&) = delete;
  Orecs& operator=(const Orecs&) = delete;
  ~Orecs() {
    if (ready()) World::free_array(finder_.table(), size());
  }

  // False: there was no memory for the table, and nothing else may be called.
  bool ready() const { return finder_.table() != nullptr; }
  size_t size() const { return finder_.size(); }
  unsigned shift() const { return finder_.shift(); }
  Orec& operator[](size_t index) { return finder_.table()[index]; }
  size_t number_of(const Orec& orec) const { return static_cast<size_t>(&orec - finder_.table()); }
  size_t index_of(uintptr_t address) const { return finder_.index_of(address); }
  const OrecFinder<World>& finder() const { return finder_; }

  // Nobody else uses the table.
  void reset() {
    for (size_t i = 0; i < size(); ++i) (*this)[i].store(0, sync::kRelaxed);
  }

 private:
  const OrecFinder<World> finder_;
};

}  // namespace mmt::stm
